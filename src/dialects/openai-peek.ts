import { GatewayError } from '../core/errors.ts';
import { memberRange } from '../json/tape.ts';
import { type AnswerMembers, membersOf } from './answer-scan.ts';
import type { AnswerPeek, ProducedText } from './dialect.ts';
import { readUsage } from './openai-usage.ts';
import { findUnnamedError, readInnerError } from './vendor-errors.ts';

/**
 * Scans a whole answer of the OpenAI family without building it: it must be a complete JSON object with the member
 * `needed`. Finds errors inside a 200.
 */
export function peekOpenAiAnswer(
  body: Buffer,
  needed: string,
  produced: () => ProducedText,
  { index, value }: AnswerMembers = membersOf(body),
): AnswerPeek {
  const error = value('error');
  if (error) return { usage: null, error: readInnerError({ error }), output: noText, index };
  const range = memberRange(body, index, needed);
  // `null` or an empty list beside a message is an error.
  const isEmpty = range === undefined || range.end - range.start <= EMPTY;
  if (isEmpty) {
    const unnamed = findUnnamedError(value);
    if (unnamed !== null) return { usage: null, error: unnamed, output: noText, index };
    if (range === undefined || body[range.start] !== OPEN_BRACKET) {
      throw new GatewayError('upstream_invalid_answer', `The provider’s answer is JSON without \`${needed}\`.`);
    }
  }
  const beside = { service_tier: value('service_tier'), tool_usage: value('tool_usage') };
  return { usage: readUsage(value('usage'), beside), error: null, output: produced, index };
}

const OPEN_BRACKET = 0x5b;
/** The bytes of `null`, beside which nothing that holds an answer is as short. */
const EMPTY = 4;

/** The output of an answer without text. */
export function noText(): ProducedText {
  return { text: '', unseen: 0 };
}

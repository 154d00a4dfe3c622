import { GatewayError } from '../core/errors.ts';
import { JsonError, type Members, scanObject, utf8Of } from '../core/json.ts';
import type { AnswerPeek, ProducedText } from './dialect.ts';
import { readUsage } from './openai-usage.ts';
import { readInnerError } from './vendor-errors.ts';

/** No vendor nests an answer so deep; beyond it is an attack on whoever parses it. */
const MAX_ANSWER_DEPTH = 512;

/**
 * Reads a whole answer of the OpenAI family, looked at but not built: it must be one complete JSON object with the
 * member that makes it an answer. An error inside a 200 is found.
 */
export function peekOpenAiAnswer(body: Buffer, needed: string, produced: (body: Buffer) => ProducedText): AnswerPeek {
  const text = body.toString('latin1');
  const { spans } = scanPiece(text);
  const value = (name: string): unknown => {
    const span = spans.get(name);
    return span === undefined ? undefined : JSON.parse(utf8Of(text.slice(span.start, span.end)));
  };
  const error = value('error');
  if (error) return { usage: null, error: readInnerError({ error }), output: nothing };
  if (!spans.has(needed)) {
    throw new GatewayError('upstream_invalid_answer', `The provider’s answer is JSON without \`${needed}\`.`);
  }
  return { usage: readUsage(value('usage'), value('service_tier')), error: null, output: () => produced(body) };
}

/** The output of what produces no text. */
export function nothing(): ProducedText {
  return { text: '', unseen: 0 };
}

/** Where the members of a whole answer stand; throws `GatewayError` (502) where it is not one JSON object of bounded depth. */
export function scanAnswer(body: Buffer): Members['spans'] {
  return scanPiece(body.toString('latin1')).spans;
}

/** The same of a piece of a stream. */
export function scanPiece(text: string): Members {
  try {
    return scanObject(text, MAX_ANSWER_DEPTH);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is cut, or is not JSON.', { cause });
  }
}

import { GatewayError } from '../../core/errors.ts';
import { isWord } from '../../json/scan.ts';
import { type JsonIndex, memberRange } from '../../json/tape.ts';
import { membersOf } from '../answer-scan.ts';
import type { AnswerPeek, ProducedText } from '../dialect.ts';
import { isFailureReason } from '../finish-reasons.ts';
import { ANSWER_SEAL_NAMES } from '../noticed-names.ts';
import { noText } from '../openai-peek.ts';
import { type FoundSeal, NO_SEALS } from '../seal-marks.ts';
import { isList, objectOf, textOf } from '../unchecked-json.ts';
import { brokenOff, findUnnamedError, readInnerError, unfinished } from '../vendor-errors.ts';
import { parseMessage } from './body.ts';
import { isReason } from './finish.ts';
import { wordsOf } from './produced-text.ts';
import { sealsOfBlocks } from './seals.ts';
import { mayShowCalls, ShownCalls } from './shown-calls.ts';
import { readUsage } from './usage.ts';

/** Scans a whole message without building it. Finds errors inside a 200. */
export function peekAnswer(body: Buffer): AnswerPeek {
  const { index, value } = membersOf(body, parseMessage);
  const error = value('error');
  const type = value('type');
  const failed = (told: GatewayError): AnswerPeek => ({ usage: null, error: told, output: noText, index });
  if (error || type === 'error') return failed(readInnerError({ error: error ?? {} }));
  const content = memberRange(body, index, 'content');
  if ((type !== undefined && type !== 'message') || content === undefined || body[content.start] !== 0x5b) {
    const unnamed = findUnnamedError(value);
    if (unnamed !== null) return failed(unnamed);
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is JSON, but is not a message.');
  }
  const reason = memberRange(body, index, 'stop_reason');
  const isUsual = reason !== undefined && USUAL_REASONS.some((usual) => isWord(body, reason.start, usual));
  const cut = isUsual ? null : cutBy(value('stop_reason'));
  // Its reported usage may be billed.
  if (cut !== null) return { ...failed(cut), usage: readUsage(value('usage')), output: () => producedBy(body) };
  const shown = new ShownCalls();
  if (mayShowCalls(body)) for (const block of blocksOf(body)) shown.see(objectOf(block));
  return {
    usage: readUsage(value('usage'), shown),
    shownCalls: () => shown.counts,
    error: null,
    output: () => producedBy(body),
    index,
    items: () => [{ id: textOf(value('id')), json: '' }],
  };
}

/** How most messages end, as JSON. */
const USUAL_REASONS = ['"end_turn"', '"tool_use"', '"max_tokens"', '"stop_sequence"'];

/** The error for a message with this stop reason; `null` if it is whole. */
function cutBy(reason: unknown): GatewayError | null {
  if (!isReason(reason)) return unfinished();
  return isFailureReason(reason) ? brokenOff() : null;
}

const SEALED = ['"signature":', '"redacted_thinking"', '"encrypted_'];

/** The seals in a whole message. */
export function sealsOf(body: Buffer, { noticed }: JsonIndex): readonly FoundSeal[] {
  if ((noticed & ANSWER_SEAL_NAMES) === 0) return NO_SEALS;
  const mayHoldSeals = SEALED.some((word) => body.includes(word));
  return mayHoldSeals ? sealsOfBlocks(blocksOf(body)) : NO_SEALS;
}

function producedBy(body: Buffer): ProducedText {
  return { text: blocksOf(body).map(wordsOf).join('\n'), unseen: 0 };
}

function blocksOf(body: Buffer): readonly unknown[] {
  const { content } = objectOf(parseMessage(body.toString('utf8')));
  return isList(content) ? content : [];
}

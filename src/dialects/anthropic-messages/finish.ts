import type { Finish } from '../../core/answer.ts';
import type { AnswerPart } from '../../core/call.ts';
import { foreignReason, isUnknownReason } from '../finish-reasons.ts';

/** The kind of the last part. */
export type PartKind = AnswerPart['kind'];

/** Whether a value is a stop reason. */
export function isReason(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== '';
}

const KNOWN: ReadonlySet<unknown> = new Set([
  ...['end_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded', 'tool_use', 'refusal', 'pause_turn'],
  // A call that its vendor's own memory made shorter ends so: https://docs.claude.com/en/docs/build-with-claude/compaction
  'compaction',
]);

/** Whether no format has this stop reason. It counts as a regular end and is reported. */
export function isUnknownStopReason(reason: unknown): boolean {
  return isReason(reason) && !KNOWN.has(reason) && isUnknownReason(reason);
}

/** Why a message ended. Some servers with this format report `end_turn` although the last block is a tool call. */
export function readFinish(reason: unknown, sequence: unknown, last: PartKind | null): Finish {
  switch (reason) {
    case 'stop_sequence':
      return { reason: 'stop', ...(typeof sequence === 'string' && { stopSequence: sequence }) };
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { reason: 'length' };
    case 'tool_use':
      return { reason: 'tool-calls' };
    case 'refusal':
      return { reason: 'refusal' };
    case 'pause_turn':
      return { reason: 'pause' };
    default: {
      const cut = typeof reason === 'string' ? foreignReason(reason) : null;
      if (cut !== null) return { reason: cut };
      return { reason: last === 'tool-call' ? 'tool-calls' : 'stop' };
    }
  }
}

/** Anthropic explains a refusal in `stop_details`, outside the content. */
export function explanationOf(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { explanation } = details as { explanation?: unknown };
  return typeof explanation === 'string' ? explanation : '';
}

/** Writes why a message ended. Filtered content is reported as a refusal. */
export function writeFinish({ reason, stopSequence }: Finish, last: PartKind | null) {
  return { stop_reason: stopReason(reason, stopSequence, last), stop_sequence: stopSequence ?? null };
}

function stopReason(reason: Finish['reason'], sequence: string | undefined, last: PartKind | null): string {
  switch (reason) {
    case 'stop':
      if (sequence !== undefined) return 'stop_sequence';
      if (last === 'tool-call') return 'tool_use';
      return last === 'refusal' ? 'refusal' : 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'tool-calls':
      return 'tool_use';
    case 'content-filter':
    case 'refusal':
      return 'refusal';
    case 'pause':
      return 'pause_turn';
    default:
      return reason satisfies never;
  }
}

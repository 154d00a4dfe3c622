import type { Finish } from '../../core/answer.ts';
import type { AnswerPart } from '../../core/call.ts';

/** Of the part that is last. */
export type PartKind = AnswerPart['kind'];

/** Why a message ended. Some servers that copy the format say that the turn ended where it ends in the call of a tool. */
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
    default:
      return { reason: last === 'tool-call' ? 'tool-calls' : 'stop' };
  }
}

/** Anthropic tells why it refused beside the content; it is all the words that there are. */
export function explanationOf(details: unknown): string {
  if (typeof details !== 'object' || details === null) return '';
  const { explanation } = details as { explanation?: unknown };
  return typeof explanation === 'string' ? explanation : '';
}

/** How a message is told to have ended. What was filtered is a refusal here. */
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

import type { Finish, FinishReason } from '../../core/answer.ts';
import type { Losses } from '../../core/losses.ts';
import { foreignReason, isUnknownReason, normalizedReason } from '../finish-reasons.ts';
import type { WireChoice } from './wire.ts';

/** Finish reasons by the words of OpenAI and other vendors. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries({
    stop: 'stop',
    tool_calls: 'tool-calls',
    tool_use: 'tool-calls',
    function_call: 'tool-calls',
  } as const),
);

/** Whether a value is a finish reason. Some vendors write the word `null` while there is none. */
export function isFinish(word: unknown): word is string {
  return typeof word === 'string' && word !== '' && word !== 'null';
}

/** The name by which an unknown finish reason is reported. It counts as a regular end. */
export function unknownFinishReasonOf(choice: WireChoice | null): string[] {
  const word = choice?.finish_reason;
  return isFinish(word) && isUnknownReason(word) ? ['finish_reason'] : [];
}

/** Reads the finish reason. Some vendors report `stop` although tools are called, and some report tool calls without any. */
export function readFinish(word: string | null, hasCalls: boolean, refused: boolean): FinishReason {
  const said = word === null ? 'stop' : normalizedReason(word);
  const reason = REASONS.get(said) ?? foreignReason(said) ?? 'stop';
  if (reason === 'stop' && hasCalls) return 'tool-calls';
  if (reason === 'tool-calls' && !hasCalls) return 'stop';
  return reason === 'stop' && refused ? 'refusal' : reason;
}

/** Writes the finish reason. A refusal with text ends with `stop`; one without is reported as `content_filter`. */
export function writeFinish(
  finish: Finish,
  { legacy, refused }: { legacy: boolean; refused: boolean },
  losses: Losses,
): string {
  if (finish.stopSequence !== undefined) losses.add('stop_sequence');
  switch (finish.reason) {
    case 'stop':
    case 'length':
      return finish.reason;
    case 'tool-calls':
      return legacy ? 'function_call' : 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    case 'refusal':
      return refused ? 'stop' : 'content_filter';
    case 'pause':
      losses.add('pause');
      return 'stop';
    default:
      return finish.reason satisfies never;
  }
}

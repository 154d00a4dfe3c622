import type { NativePart } from '../../core/call.ts';
import { withStep } from '../search-steps.ts';
import { functionInput } from '../streamed-arguments.ts';
import { textOf, type Unchecked } from '../unchecked-json.ts';
import { readSearchStep } from './search-blocks.ts';
import { ID } from './wire.ts';

/** A block that only this format has, with its search step if it is one. */
export function nativeOf(block: Unchecked): NativePart {
  return withStep({ kind: 'native', dialect: ID, type: textOf(block.type), value: block }, readSearchStep(block));
}

/** The id of a tool call. Without one it is made from message and position, so every reader makes the same. */
export function callId({ id }: Unchecked, messageId: string, index: number): string {
  return textOf(id) || `toolu_${messageId}_${index}`;
}

/** The input of a tool call as text. Some servers already send a string. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return functionInput(input);
  return functionInput(JSON.stringify(input ?? {}));
}

import type { Message, UserPart } from '../core/call.ts';

/** System or developer messages hold text alone in other formats: what else one holds follows in a turn of the user. */
export function instructionsOf(role: 'system' | 'developer', parts: readonly UserPart[]): Message[] {
  const texts = parts.filter((part) => part.kind === 'text');
  const others = parts.filter((part) => part.kind !== 'text');
  return [
    ...(texts.length > 0 || others.length === 0 ? [{ role, parts: texts }] : []),
    ...(others.length > 0 ? [{ role: 'user' as const, parts: others }] : []),
  ];
}

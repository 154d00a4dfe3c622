import type { Message, UserPart } from '../core/call.ts';

/**
 * A system or developer message as messages of other formats, where it holds only text: images and files follow in a
 * user turn.
 */
export function instructionsOf(role: 'system' | 'developer', parts: readonly UserPart[]): Message[] {
  const texts = parts.filter((part) => part.kind === 'text');
  const others = parts.filter((part) => part.kind !== 'text');
  return [
    ...(texts.length > 0 || others.length === 0 ? [{ role, parts: texts }] : []),
    ...(others.length > 0 ? [{ role: 'user' as const, parts: others }] : []),
  ];
}

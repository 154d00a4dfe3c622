import type { WireWords } from './wire.ts';

/** Collects every text of a message or delta: content (also in parts), reasoning, refusal, tool calls. */
export function collectWords(message: WireWords | null | undefined, words: string[]): void {
  if (typeof message !== 'object' || message === null) return;
  for (const value of [message.content, message.reasoning_content ?? message.reasoning, message.refusal])
    gather(value, words);
  for (const call of [message.tool_calls, message.function_call]) gather(call, words);
}

const NOT_WORDS = new Set(['type', 'id', 'index']);
/** The deepest nesting that is searched. No vendor nests a message this deep; deeper recursion could overflow the stack. */
const MAX_DEPTH = 32;

function gather(value: unknown, words: string[], depth = 0): void {
  if (typeof value === 'string') {
    if (value !== '') words.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(value)) if (!NOT_WORDS.has(name)) gather(inner, words, depth + 1);
}

import type { WireWords } from './wire.ts';

/** Gathers every text that a message or delta holds: content (also in parts), reasoning, refusal, tool calls. */
export function collectWords(message: WireWords | null | undefined, words: string[]): void {
  if (typeof message !== 'object' || message === null) return;
  for (const value of [message.content, message.reasoning_content ?? message.reasoning, message.refusal])
    gather(value, words);
  for (const call of [message.tool_calls, message.function_call]) gather(call, words);
}

const NOT_WORDS = new Set(['type', 'id', 'index']);

function gather(value: unknown, words: string[]): void {
  if (typeof value === 'string') {
    if (value !== '') words.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) if (!NOT_WORDS.has(name)) gather(inner, words);
}

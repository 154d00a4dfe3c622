import type { TokenCounter } from '../core/ports.ts';
import { type Usage, type UsageSource, usageOf } from '../core/usage.ts';
import type { Dialect, Envelope, ProducedText } from '../dialects/dialect.ts';

/** Of text that cannot be looked at, or not be counted. */
const CHARACTERS_PER_TOKEN = 4;

/** What was used, where the vendor says so: there is then nothing to wait for. */
export function measuredNow(seen: { usage: Usage | null }): { usage: Usage; usageSource: UsageSource } | null {
  return seen.usage === null ? null : { usage: seen.usage, usageSource: 'provider' };
}

/**
 * What was used, and who says so: the vendor where it did, else our own count of prompt and output. Never rejects: it
 * runs behind the vendor's answer, and a call that was answered is billed.
 */
export async function measure(
  asked: Dialect,
  call: Envelope,
  seen: { usage: Usage | null; output(): ProducedText },
  tokens: TokenCounter,
): Promise<{ usage: Usage; usageSource: UsageSource }> {
  const told = measuredNow(seen);
  if (told !== null) return told;
  const { text, unseen } = tried(() => seen.output()) ?? NOTHING;
  const prompt = tried(() => asked.inbound.promptText(call));
  const [inputTokens, kept] = await Promise.all([
    prompt === null ? call.estimatedInputTokens : count(tokens, prompt),
    count(tokens, text),
  ]);
  const outputTokens = Math.ceil(kept + unseen * (text === '' ? 1 / CHARACTERS_PER_TOKEN : kept / text.length));
  return { usage: usageOf({ inputTokens, outputTokens }), usageSource: 'estimated' };
}

const NOTHING: ProducedText = { text: '', unseen: 0 };

function count(tokens: TokenCounter, text: string): Promise<number> {
  return tokens.count(text).catch(() => Math.ceil(text.length / CHARACTERS_PER_TOKEN));
}

function tried<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

import type { TokenCounter } from '../core/ports.ts';
import { type Usage, type UsageSource, usageOf } from '../core/usage.ts';
import type { Dialect, Envelope, ProducedText } from '../dialects/dialect.ts';

/** Of text that was not kept, none of which can be looked at. */
const CHARACTERS_PER_TOKEN = 4;

/** What was used, and who says so: the vendor where it did, else our own count of prompt and output. */
export async function measure(
  asked: Dialect,
  call: Envelope,
  seen: { usage: Usage | null; output(): ProducedText },
  tokens: TokenCounter,
): Promise<{ usage: Usage; usageSource: UsageSource }> {
  if (seen.usage !== null) return { usage: seen.usage, usageSource: 'provider' };
  const { text, unseen } = seen.output();
  const [inputTokens, kept] = await Promise.all([tokens.count(asked.inbound.promptText(call)), tokens.count(text)]);
  const outputTokens = Math.ceil(kept + unseen * (text === '' ? 1 / CHARACTERS_PER_TOKEN : kept / text.length));
  return { usage: usageOf({ inputTokens, outputTokens }), usageSource: 'estimated' };
}

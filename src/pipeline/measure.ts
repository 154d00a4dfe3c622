import type { TokenCounter } from '../core/ports.ts';
import { NO_USAGE, type Usage, type UsageSource, usageOf } from '../core/usage.ts';
import type { Dialect, Envelope, ProducedText } from '../dialects/dialect.ts';
import { LARGE, turnIf } from './turns.ts';

/** Of text that cannot be looked at, or not be counted. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a context window that nobody tells of: those of the longest that are common. */
export const ASSUMED_CONTEXT_WINDOW = 1_000_000;

/** What was used, and who says so. `reported` is what the vendor said, where it was not believed. */
export type MeasuredUsage = { usage: Usage; usageSource: UsageSource; reported: Usage | null };

/** Nothing that a vendor charges for. */
export const NOT_USED: MeasuredUsage = { usage: NO_USAGE, usageSource: 'none', reported: null };

/**
 * The most tokens that a vendor is believed to have used: so many times (`factor`) the context window of its model, for
 * each choice that was asked for. Where the prompt is longer by its size, that takes the window's place: inputs of
 * embeddings have a window each.
 */
export function mostBelieved(call: Envelope, contextWindow: number | null, factor: number): number {
  return factor * Math.max((contextWindow ?? ASSUMED_CONTEXT_WINDOW) * call.choices, call.estimatedInputTokens);
}

/** What was used, where the vendor says so and can be believed: there is then nothing to wait for. */
export function measuredNow(usage: Usage | null, most: number): MeasuredUsage | null {
  if (usage === null || !isWithin(usage, most)) return null;
  return { usage, usageSource: 'provider', reported: null };
}

/** Parts are looked at too: nobody holds vendors to parts that are no more than their whole. */
function isWithin(usage: Usage, most: number): boolean {
  return (
    usage.inputTokens + usage.outputTokens <= most &&
    usage.cacheReadTokens + usage.cacheWriteTokens + usage.audioInputTokens <= most &&
    usage.reasoningTokens + usage.audioOutputTokens <= most
  );
}

/**
 * What was used by our own count of prompt and output, where the vendor does not say, or says what cannot be. Never
 * rejects: it runs behind the vendor's answer, and a call that was answered is billed.
 */
export async function measure(
  asked: Dialect,
  call: Envelope,
  seen: { usage: Usage | null; output(): ProducedText },
  tokens: TokenCounter,
): Promise<MeasuredUsage> {
  const { text, unseen } = tried(() => seen.output()) ?? NOTHING;
  const isLarge = call.body.length > LARGE;
  await turnIf(isLarge);
  const prompt = tried(() => asked.inbound.promptText(call));
  await turnIf(isLarge);
  const [inputTokens, kept] = await Promise.all([
    prompt === null ? call.estimatedInputTokens : countPrompt(tokens, prompt, call),
    count(tokens, text),
  ]);
  const outputTokens = Math.ceil(kept + unseen * (text === '' ? 1 / CHARACTERS_PER_TOKEN : kept / text.length));
  return { usage: usageOf({ inputTokens, outputTokens }), usageSource: 'estimated', reported: seen.usage };
}

const NOTHING: ProducedText = { text: '', unseen: 0 };

/** Files stand beside the words: else whoever leaves a stream before its usage is told would be sent them for nothing. */
async function countPrompt(tokens: TokenCounter, words: string, { fileTokens = 0 }: Envelope): Promise<number> {
  return (await count(tokens, words)) + fileTokens;
}

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

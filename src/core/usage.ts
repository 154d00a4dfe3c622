/**
 * Tokens of one call. `inputTokens` is the whole prompt: cached tokens (read or written) are inside it.
 * `outputTokens` is everything the model produced: reasoning tokens are inside it.
 */
export type Usage = {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that is kept for one hour instead of five minutes. */
  cacheWrite1hTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  audioInputTokens: number;
  audioOutputTokens: number;
  serviceTier?: string;
};

/** Where the numbers of a record come from: the vendor said so, we counted, or there is nothing to count. */
export const USAGE_SOURCES = ['provider', 'estimated', 'none'] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

export const NO_USAGE: Readonly<Usage> = Object.freeze({
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
});

/** Characters of a vendor's name for a tier of service. */
export const MAX_SERVICE_TIER = 64;

/** A `Usage` with every count not given at zero. The tier is a vendor's word, and is cut where it is no name. */
export function usageOf(counts: Partial<Usage>): Usage {
  const { serviceTier } = counts;
  if (serviceTier === undefined || serviceTier.length <= MAX_SERVICE_TIER) return { ...NO_USAGE, ...counts };
  return { ...NO_USAGE, ...counts, serviceTier: serviceTier.slice(0, MAX_SERVICE_TIER) };
}

import { type Usage, usageOf } from '../../core/usage.ts';
import { type Loose, loose } from './wire.ts';

/**
 * Reads a usage object; `null` if it has no `input_tokens`. Anthropic's `input_tokens` excludes cache reads and cache
 * writes; `inputTokens` is the sum of all three.
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function readUsage(value: unknown): Usage | null {
  const wire = loose(value);
  if (!isCount(wire.input_tokens)) return null;
  const cacheReadTokens = count(wire.cache_read_input_tokens);
  const kept = loose(wire.cache_creation);
  const kept1h = count(kept.ephemeral_1h_input_tokens);
  // The last usage of a stream has the total of cache writes, but not their lifetimes.
  const cacheWriteTokens = count(wire.cache_creation_input_tokens) || count(kept.ephemeral_5m_input_tokens) + kept1h;
  const { service_tier: serviceTier } = wire;
  return usageOf({
    inputTokens: wire.input_tokens + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: Math.min(kept1h, cacheWriteTokens),
    outputTokens: count(wire.output_tokens),
    reasoningTokens: count(loose(wire.output_tokens_details).thinking_tokens),
    ...(typeof serviceTier === 'string' ? { serviceTier } : {}),
  });
}

/** The usage members that are kept. Others are dropped, because a stream could add new ones with every event. */
const READ = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation',
  'output_tokens',
  'output_tokens_details',
  'service_tier',
] as const;

/** Merges the usage reports at a stream's start and at its end; later values replace earlier ones. */
export function mergeUsage(earlier: Loose, later: unknown): Loose {
  const told = loose(later);
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of READ) merged[name] = told[name] ?? earlier[name];
  return merged;
}

/** The token counts of a usage object; a stream's last event repeats them. */
export function writeCounts(usage: Usage) {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: Math.max(0, cacheWriteTokens - cacheWrite1hTokens),
      ephemeral_1h_input_tokens: cacheWrite1hTokens,
    },
    output_tokens: outputTokens,
    ...(reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

/** The usage object of a message. */
export function writeUsage(usage: Usage) {
  return { ...writeCounts(usage), service_tier: TIERS.get(usage.serviceTier ?? '') ?? null };
}

/** Anthropic's tiers by the names that other formats use. */
const TIERS = new Map([
  ['standard', 'standard'],
  ['default', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
]);

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

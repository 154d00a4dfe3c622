import { type Usage, usageOf } from '../core/usage.ts';

/** The usage object of OpenAI's chat and embeddings answers, with what other vendors add to it or leave out. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown; audio_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown; audio_tokens?: unknown } | null;
  /** DeepSeek, and Moonshot. */
  prompt_cache_hit_tokens?: unknown;
  cached_tokens?: unknown;
};

/** Reads a usage object; `null` where it says nothing of the prompt. */
export function readUsage(value: unknown, serviceTier?: unknown): Usage | null {
  if (typeof value !== 'object' || value === null) return null;
  const wire = value as WireUsage;
  if (!isCount(wire.prompt_tokens)) return null;
  const promptDetails = wire.prompt_tokens_details ?? {};
  const completionDetails = wire.completion_tokens_details ?? {};
  const inputTokens = wire.prompt_tokens;
  const completion = count(wire.completion_tokens);
  const reasoning = count(completionDetails.reasoning_tokens);
  // xAI leaves reasoning out of completion_tokens; its total, and its bill, have it in.
  const apart = reasoning > 0 && count(wire.total_tokens) === inputTokens + completion + reasoning;
  return usageOf({
    inputTokens,
    cacheReadTokens: Math.min(
      inputTokens,
      count(promptDetails.cached_tokens) || count(wire.prompt_cache_hit_tokens) || count(wire.cached_tokens),
    ),
    cacheWriteTokens: count(promptDetails.cache_write_tokens),
    outputTokens: apart ? completion + reasoning : completion,
    reasoningTokens: reasoning,
    audioInputTokens: count(promptDetails.audio_tokens),
    audioOutputTokens: count(completionDetails.audio_tokens),
    ...(typeof serviceTier === 'string' ? { serviceTier } : {}),
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

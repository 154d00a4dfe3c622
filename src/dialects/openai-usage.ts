import { type Usage, usageOf } from '../core/usage.ts';

type PromptDetails = { cached_tokens?: unknown; cache_write_tokens?: unknown; audio_tokens?: unknown } | null;
type OutputDetails = { reasoning_tokens?: unknown; audio_tokens?: unknown } | null;

/** The usage object of OpenAI's answers, including other vendors' variants. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: PromptDetails;
  completion_tokens_details?: OutputDetails;
  /** The names used by responses. */
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: PromptDetails;
  output_tokens_details?: OutputDetails;
  /** Used by DeepSeek, and by Moonshot. */
  prompt_cache_hit_tokens?: unknown;
  cached_tokens?: unknown;
};

/** Reads a usage object; `null` if it has no prompt tokens. */
export function readUsage(value: unknown, serviceTier?: unknown): Usage | null {
  if (typeof value !== 'object' || value === null) return null;
  const wire = value as WireUsage;
  const inputTokens = wire.prompt_tokens ?? wire.input_tokens;
  if (!isCount(inputTokens)) return null;
  const promptDetails = wire.prompt_tokens_details ?? wire.input_tokens_details ?? {};
  const completionDetails = wire.completion_tokens_details ?? wire.output_tokens_details ?? {};
  const completion = count(wire.completion_tokens ?? wire.output_tokens);
  const reasoning = count(completionDetails.reasoning_tokens);
  // xAI does not count reasoning in `completion_tokens`, but counts it in the total and bills it.
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

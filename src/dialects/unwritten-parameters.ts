import type { Call } from '../core/call.ts';
import type { Loss, Losses } from '../core/losses.ts';

/** Parameters that some formats cannot express: whether a call sets each of them to more than its default. */
const IS_SET = {
  choices: ({ choices = 1 }) => choices > 1,
  top_k: ({ topK }) => topK !== undefined,
  frequency_penalty: ({ frequencyPenalty = 0 }) => frequencyPenalty !== 0,
  presence_penalty: ({ presencePenalty = 0 }) => presencePenalty !== 0,
  seed: ({ seed }) => seed !== undefined,
  stop: ({ stop = [] }) => stop.length > 0,
  logit_bias: ({ logitBias = {} }) => Object.keys(logitBias).length > 0,
  logprobs: ({ logprobs }) => logprobs !== undefined,
  verbosity: ({ verbosity }) => verbosity !== undefined,
  metadata: ({ metadata = {} }) => Object.keys(metadata).length > 0,
  prompt_cache_key: ({ promptCacheKey }) => promptCacheKey !== undefined,
  prompt_cache_retention: ({ promptCacheRetention }) => promptCacheRetention !== undefined,
} as const satisfies Partial<Record<Exclude<Loss, 'tools'>, (call: Call) => boolean>>;

/** Reports those of the parameters that the call sets, for a format that has none of them. */
export function reportUnwritten(call: Call, parameters: readonly (keyof typeof IS_SET)[], losses: Losses): void {
  for (const parameter of parameters) if (IS_SET[parameter](call)) losses.add(parameter);
}

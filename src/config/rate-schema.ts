import type { OutgoingRate } from '../core/provider.ts';
import { count, flag } from './fields.ts';

/** The rate limits of providers, their keys and models. */
export const rate = {
  requests_per_minute: count(1).optional().describe('The most requests sent per minute (default: unlimited).'),
  tokens_per_minute: count(1)
    .optional()
    .describe('The most tokens of prompts and answers per minute (default: unlimited).'),
  count_cached_input: flag()
    .optional()
    .describe('`false`: prompt tokens read from a cache do not count towards `tokens_per_minute`.'),
};

type RateEntry = {
  requests_per_minute?: number | undefined;
  tokens_per_minute?: number | undefined;
  count_cached_input?: boolean | undefined;
};

/** `undefined` without a limit. */
export function rateOf(entry: RateEntry): OutgoingRate | undefined {
  const { requests_per_minute: requests = null, tokens_per_minute: tokens = null, count_cached_input: cached } = entry;
  if (requests === null && tokens === null) return undefined;
  return { requestsPerMinute: requests, tokensPerMinute: tokens, countsCached: cached ?? true };
}

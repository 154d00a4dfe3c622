import type { OutgoingRate } from '../core/provider.ts';
import { count, flag } from './fields.ts';

/** What providers, keys of theirs and models may be sent. */
export const rate = {
  requests_per_minute: count(1).optional().describe('Requests that may be sent in a minute; left out, any number.'),
  tokens_per_minute: count(1)
    .optional()
    .describe('Tokens, of prompts and answers, that may be sent in a minute; left out, any number.'),
  count_cached_input: flag()
    .optional()
    .describe('`false`: prompt tokens that were read from a cache do not count for `tokens_per_minute`.'),
};

type RateEntry = {
  requests_per_minute?: number | undefined;
  tokens_per_minute?: number | undefined;
  count_cached_input?: boolean | undefined;
};

/** `undefined` where nothing is limited. */
export function rateOf(entry: RateEntry): OutgoingRate | undefined {
  const { requests_per_minute: requests = null, tokens_per_minute: tokens = null, count_cached_input: cached } = entry;
  if (requests === null && tokens === null) return undefined;
  return { requestsPerMinute: requests, tokensPerMinute: tokens, countsCached: cached ?? true };
}

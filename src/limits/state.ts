import type { LimitState } from '../core/ports.ts';
import { type Bucket, msUntilFull, remaining } from './bucket.ts';

/** Two refilled buckets, as callers are told of them. */
export function stateOf({ requests, tokens }: { requests: Bucket; tokens: Bucket }): LimitState {
  return {
    limitRequests: requests.limit,
    limitTokens: tokens.limit,
    remainingRequests: remaining(requests),
    remainingTokens: remaining(tokens),
    resetRequestsMs: msUntilFull(requests),
    resetTokensMs: msUntilFull(tokens),
  };
}

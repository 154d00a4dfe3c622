import { type Bucket, msUntilFull, remaining } from '../core/bucket.ts';
import type { LimitState } from '../core/ports.ts';

/** The state of two refilled buckets, as shown to callers. */
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

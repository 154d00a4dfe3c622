import type { NanoDollars } from '../../core/money.ts';
import type { LimitRequest, LimitState } from '../../core/ports.ts';
import type { ApiKey, SpendLimit } from '../../core/records.ts';
import { holdsAt, type Period } from '../../core/spend-period.ts';
import { type Bucket, take } from '../bucket.ts';
import { stateOf } from '../state.ts';
import { type Amounts, NOTHING, type WantedShares } from './exchange.ts';
import { createShare, isEmpty, leftOfShare, type Share } from './share.ts';

/** All workers together hold at most one part in this many of a limit. */
const HELD_BACK = 10n;

/** This worker's part of a key's spend limit in one period. */
export type SpendShare = Period & {
  period: string;
  per: SpendLimit['per'];
  share: Share;
  /** What may be spent if the others spend all that they hold, as last reported. */
  left: NanoDollars;
};

/** One worker's state of one key. */
export type Holding = {
  key: ApiKey;
  /** What the others leave of the limits, as last reported, minus what was taken here since. */
  requests: Bucket;
  tokens: Bucket;
  /** What other workers hold; how much of it they used is unknown. */
  others: Amounts;
  shares: { requests: Share; tokens: Share };
  spend: SpendShare | null;
  /** The most that is held in reserve. */
  blocks: Amounts;
  /** Calls that are not settled yet. */
  open: number;
  /** When the store last reported the limits, when it last refused, and when a call last began or ended; monotonic ms. */
  toldAt: number;
  refusedAt: number;
  usedAt: number;
  /** The last exchange in the queue, and whether one that only reports is queued. */
  last: Promise<unknown>;
  telling: boolean;
};

const NEVER = Number.NEGATIVE_INFINITY;

export function createHolding(key: ApiKey, requests: Bucket, tokens: Bucket): Holding {
  return {
    key,
    requests,
    tokens,
    others: NOTHING,
    shares: { requests: createShare(), tokens: createShare() },
    spend: null,
    blocks: NOTHING,
    open: 0,
    toldAt: NEVER,
    refusedAt: NEVER,
    usedAt: NEVER,
    last: Promise.resolve(),
    telling: false,
  };
}

/** The block size of each limit: small enough that all workers' blocks hold back little; 0 for a low limit. */
export function blocksOf(
  requestsPerMinute: number,
  tokensPerMinute: number,
  spendLimit: SpendLimit | null,
  workers: number,
): Amounts {
  const part = HELD_BACK * BigInt(workers);
  return {
    requests: BigInt(requestsPerMinute) / part,
    tokens: BigInt(tokensPerMinute) / part,
    spend: (spendLimit?.amount ?? 0n) / part,
  };
}

export function wantedBy({ spendLimit }: ApiKey, { tokens, cost, leastCost }: LimitRequest): WantedShares {
  const spend = spendLimit === null ? 0n : (cost ?? 0n);
  const leastSpend = spendLimit === null ? 0n : (leastCost ?? spend);
  return { requests: 1n, tokens: BigInt(Math.ceil(tokens)), spend, leastSpend };
}

/** Whether the leases cover the amounts. */
export function covers({ shares, spend }: Holding, wanted: Amounts): boolean {
  return (
    leftOfShare(shares.requests) >= wanted.requests &&
    leftOfShare(shares.tokens) >= wanted.tokens &&
    (spend === null ? 0n : leftOfShare(spend.share)) >= wanted.spend
  );
}

/** Whether the spend in the current period (`now` in Unix ms) is known. */
export function isWarm({ spend }: Holding, limit: SpendLimit | null, now: number): boolean {
  return limit === null || (spend !== null && spend.per === limit.per && holdsAt(spend, now));
}

export function isIdle({ usedAt }: Holding, now: number, idleMs: number): boolean {
  return now - usedAt >= idleMs;
}

/** Whether it holds nothing and has nothing to report. */
export function isSettledUp({ shares, spend }: Holding): boolean {
  return isEmpty(shares.requests) && isEmpty(shares.tokens) && (spend === null || isEmpty(spend.share));
}

/** The limits as shown to callers: what others hold is not used yet, so it does not count. */
export function toldState({ requests, tokens, others }: Holding): LimitState {
  return stateOf({ requests: withBack(requests, others.requests), tokens: withBack(tokens, others.tokens) });
}

function withBack(bucket: Bucket, amount: bigint): Bucket {
  const next = { ...bucket };
  take(next, -Number(amount));
  return next;
}

import type { NanoDollars } from '../../core/money.ts';
import type { LimitRequest, LimitState } from '../../core/ports.ts';
import type { ApiKey, SpendLimit } from '../../core/records.ts';
import { type Bucket, take } from '../bucket.ts';
import { holdsAt, type Period } from '../spend.ts';
import { stateOf } from '../state.ts';
import { type Amounts, NOTHING, type WantedShares } from './exchange.ts';
import { createShare, isEmpty, leftOfShare, type Share } from './share.ts';

/** All workers together hold back at most this part of a limit. */
const HELD_BACK = 10n;

/** What a key may spend in one period, as far as this worker holds it. */
export type SpendShare = Period & {
  period: string;
  per: SpendLimit['per'];
  share: Share;
  /** What may still be spent if the others spend all that they hold, as it was told last. */
  left: NanoDollars;
};

/** What one worker remembers of one key. */
export type Holding = {
  key: ApiKey;
  /** What the others leave of the limits, as it was told last, and less what was taken here since. */
  requests: Bucket;
  tokens: Bucket;
  /** What other workers hold; how much of it they have used is not known. */
  others: Amounts;
  shares: { requests: Share; tokens: Share };
  spend: SpendShare | null;
  /** The most that is held beyond need. */
  blocks: Amounts;
  /** Calls that are not settled yet. */
  open: number;
  /** When the store told of the limits, when it last refused, and when a call last began or ended; monotonic ms. */
  toldAt: number;
  refusedAt: number;
  usedAt: number;
  /** The exchange that was asked for last, and whether one that only tells is among those to come. */
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

/** A block of each limit: small enough for all workers to hold one and hold back little; of a low limit, nothing. */
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

/** Whether what is left of the leases is enough. */
export function covers({ shares, spend }: Holding, wanted: Amounts): boolean {
  return (
    leftOfShare(shares.requests) >= wanted.requests &&
    leftOfShare(shares.tokens) >= wanted.tokens &&
    (spend === null ? 0n : leftOfShare(spend.share)) >= wanted.spend
  );
}

/** Whether what was spent in the period of now (Unix ms) is known. */
export function isWarm({ spend }: Holding, limit: SpendLimit | null, now: number): boolean {
  return limit === null || (spend !== null && spend.per === limit.per && holdsAt(spend, now));
}

export function isIdle({ usedAt }: Holding, now: number, idleMs: number): boolean {
  return now - usedAt >= idleMs;
}

/** Whether it holds nothing, and has told everything. */
export function isSettledUp({ shares, spend }: Holding): boolean {
  return isEmpty(shares.requests) && isEmpty(shares.tokens) && (spend === null || isEmpty(spend.share));
}

/** The limits as callers are told of them: what others hold is not yet used, and so is not counted. */
export function toldState({ requests, tokens, others }: Holding): LimitState {
  return stateOf({ requests: withBack(requests, others.requests), tokens: withBack(tokens, others.tokens) });
}

function withBack(bucket: Bucket, amount: bigint): Bucket {
  const next = { ...bucket };
  take(next, -Number(amount));
  return next;
}

import { type Bucket, createBucket, LARGEST_RATE, take } from '../../core/bucket.ts';
import { amountAt, type Budget } from '../../core/budget.ts';
import type { Amounts } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import type { LimitState } from '../../core/ports.ts';
import type { LimitSubject, SpendLimit } from '../../core/records.ts';
import { includesTime, type Period, periodAt, periodId } from '../../core/spend-period.ts';
import { stateOf } from '../state.ts';
import { createShare, isDue, isEmpty, leftOfShare, type Share, settleShare } from './share.ts';

/** All workers together hold at most one part in this many of a limit. */
const HELD_BACK = 10n;
/** A billion dollars: the sum of many such fits 64 bits. */
const UNLIMITED = 10n ** 18n;

export const NOTHING: Amounts = { requests: 0n, tokens: 0n, spend: 0n };

/** This worker's part of a budget in one period. */
export type SpendShare = Period & {
  period: string;
  per: SpendLimit['per'];
  share: Share;
  /** What the budget was when it was told last. */
  amount: NanoDollars;
  /** What may be spent if the others spend all that they hold, as last reported. */
  left: NanoDollars;
};

/** One worker's state of a key with its spend limit, or of a budget, whose rates are without limit. */
export type Holding = {
  readonly id: string;
  /** The subject as it was last; `null` for a budget. */
  subject: LimitSubject | null;
  /** What limits its spending; `null`: nothing. */
  money: Budget | null;
  /** What the others leave of the limits, as last reported, minus what was taken here since. */
  requests: Bucket;
  tokens: Bucket;
  /** What other workers hold; how much of it they used is unknown. */
  others: Amounts;
  shares: { requests: Share; tokens: Share };
  /** Of a limit that was removed it is kept as long as there is a lease: what calls held in it is reported as they end. */
  spend: SpendShare | null;
  /** The key or its product was changed: what was spent is read again, since its limit may have been away for a while. */
  isUnsure: boolean;
  /** The most that is held in reserve. */
  blocks: Amounts;
  /** Calls that are not settled yet, and how many were settled. */
  open: number;
  settled: number;
  /** When the store last reported the limits, when it last refused, and when a call was last let in or ended; monotonic ms. */
  toldAt: number;
  refusedAt: number;
  usedAt: number;
  /** The last exchange in the queue, and whether one that only reports is queued. */
  last: Promise<unknown>;
  telling: boolean;
  /** How many of its exchanges are queued or without an answer. */
  pending: number;
};

const NEVER = Number.NEGATIVE_INFINITY;

export function createHolding(id: string, requests: Bucket, tokens: Bucket): Holding {
  return {
    id,
    subject: null,
    money: null,
    requests,
    tokens,
    others: NOTHING,
    shares: { requests: createShare(), tokens: createShare() },
    spend: null,
    isUnsure: false,
    blocks: NOTHING,
    open: 0,
    settled: 0,
    toldAt: NEVER,
    refusedAt: NEVER,
    usedAt: NEVER,
    last: Promise.resolve(),
    telling: false,
    pending: 0,
  };
}

/** Of a budget, which limits no rate. */
export function createBudgetHolding(id: string): Holding {
  return createHolding(id, createBucket(LARGEST_RATE, 0), createBucket(LARGEST_RATE, 0));
}

/** The block size of each limit: small enough that all workers' blocks hold back little; 0 for a low limit. */
export function blocksOf(
  requestsPerMinute: number,
  tokensPerMinute: number,
  spendAmount: NanoDollars,
  workers: number,
): Amounts {
  const part = HELD_BACK * BigInt(workers);
  return {
    requests: BigInt(requestsPerMinute) / part,
    tokens: BigInt(tokensPerMinute) / part,
    spend: spendAmount / part,
  };
}

/** What is leased from a budget in all. One that only counts is leased from without asking for more all the time. */
export function leasedAmount(budget: Budget, now: number): NanoDollars {
  return budget.isHard ? amountAt(budget, now) : UNLIMITED;
}

/** Counts a call that began at a time (Unix ms) in a holding, and tells whether that should be reported soon. `spend`: where it was held. */
export function settleSpend(
  { money, spend: present, blocks }: Holding,
  spend: SpendShare | null,
  { at, held, counted }: { at: number; held: bigint; counted: bigint },
): boolean {
  // The period that the call began in, even if another has begun.
  if (spend !== null) {
    settleShare(spend.share, held, counted);
    spend.left += held - counted;
  }
  if (present === null) return false;
  if (present !== spend) {
    // The limit came while the call was open, or was for another period in between: what it had spent was read without it.
    if (money === null || !includesTime(present, at)) return false;
    present.share.used += counted;
    present.left -= counted;
  }
  return isDue(present.share, blocks.spend);
}

/** The share of the current period (`now` in Unix ms); a new one if the period changed. */
export function presentShare({ money, spend }: Holding, now: number): SpendShare | null {
  if (money === null) return spend !== null && includesTime(spend, now) ? spend : null;
  const { per, amount } = money;
  const present = periodAt(per, now);
  const period = periodId(per, present);
  return spend?.period === period ? spend : { ...present, period, per, amount, share: createShare(), left: 0n };
}

/** Whether the leases cover the amounts. */
export function holdingCovers({ shares, spend }: Holding, wanted: Amounts): boolean {
  return (
    leftOfShare(shares.requests) >= wanted.requests &&
    leftOfShare(shares.tokens) >= wanted.tokens &&
    (spend === null ? 0n : leftOfShare(spend.share)) >= wanted.spend
  );
}

/** Whether the spending in the current period (`now` in Unix ms) is known, of the budget as it is. */
export function isWarm(holding: Holding, now: number): boolean {
  const { money, spend } = holding;
  return money === null || (isPeriodKnown(holding, now) && spend!.amount === leasedAmount(money, now));
}

export function isPeriodKnown({ money, spend, isUnsure }: Holding, now: number): boolean {
  return money === null || (!isUnsure && spend !== null && spend.per === money.per && includesTime(spend, now));
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

import type { FoundLimits, Lease, SharedBucket, SharedLimits } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import { createBucket, refill, remaining, take } from '../bucket.ts';
import { leftOfShare, type Share } from './share.ts';

/** An amount of each limit. */
export type Amounts = { requests: bigint; tokens: bigint; spend: NanoDollars };

/** What a call takes. Where less than `spend` is free, but `leastSpend`, it is let in and takes more than there is. */
export type WantedShares = Amounts & { leastSpend: NanoDollars };

/** A worker's side of an exchange. */
export type Mine = {
  /** Monotonic ms of the machine. */
  now: number;
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** Absent where the key has no spend limit. */
  spend: { amount: NanoDollars; period: string; sinceDay: string | null; throughDay: string | null } | null;
  shares: { requests: Share; tokens: Share; spend: Share };
  /** The most it holds. */
  blocks: Amounts;
  /** Whether it still has open calls, or means to make some. */
  stays: boolean;
};

export type Exchanged = {
  shared: SharedLimits | null;
  own: Lease | null;
  /** What it holds now, beside what was wanted. */
  holds: Amounts;
  refused: boolean;
  /** What this worker may still use, had the others used all that they hold. */
  requests: SharedBucket;
  tokens: SharedBucket;
  spendLeft: NanoDollars;
  /** What the others hold. */
  others: Amounts;
};

export const NOTHING: Amounts = { requests: 0n, tokens: 0n, spend: 0n };
const NOTHING_WANTED: WantedShares = { ...NOTHING, leastSpend: 0n };

/**
 * Reports what was used, gives back what is too much, and takes what is wanted: of all limits or of none. Where a share ran
 * short, a whole block is taken. What is reported and what is held never exceed a limit together, except by the last call
 * that was let in; then no other is let in until enough is free again.
 */
export function exchange(found: FoundLimits, mine: Mine, wanted: WantedShares = NOTHING_WANTED): Exchanged {
  const { shares, blocks } = mine;
  const requests = told(found.shared?.requests, mine.requestsPerMinute, mine.now, shares.requests);
  const tokens = told(found.shared?.tokens, mine.tokensPerMinute, mine.now, shares.tokens);
  const spent = spentBy(found, mine);
  const others = heldBy(found.others, mine.spend?.period ?? null);
  const free: Amounts = {
    requests: BigInt(remaining(requests)) - others.requests,
    tokens: BigInt(remaining(tokens)) - others.tokens,
    spend: mine.spend === null ? 0n : mine.spend.amount - spent - others.spend,
  };
  const refused = !covers(free, { ...wanted, spend: wanted.leastSpend });
  const taken = refused ? NOTHING_WANTED : wanted;
  take(requests, Number(taken.requests));
  take(tokens, Number(taken.tokens));
  const holds: Amounts = {
    requests: held(shares.requests, taken.requests, blocks.requests, free.requests),
    tokens: held(shares.tokens, taken.tokens, blocks.tokens, free.tokens),
    spend: held(shares.spend, taken.spend, blocks.spend, free.spend),
  };
  const stays = mine.stays || taken !== NOTHING_WANTED || !covers(NOTHING, holds);
  const own = stays ? { ...holds, period: mine.spend?.period ?? null } : null;
  return {
    shared: worthKeeping(found, mine, own, { requests, tokens, spent: spent + taken.spend }),
    own,
    holds,
    refused,
    requests: less(requests, others.requests),
    tokens: less(tokens, others.tokens),
    spendLeft: free.spend - taken.spend,
    others,
  };
}

/** What is not wanted need not be there: what costs nothing may be had however much was overspent. */
export function covers(held: Amounts, wanted: Amounts): boolean {
  const has = (one: bigint, other: bigint) => other === 0n || one >= other;
  return has(held.requests, wanted.requests) && has(held.tokens, wanted.tokens) && has(held.spend, wanted.spend);
}

/** What is held of one limit beside what is taken: a block where it was short, else what is left, and never what is not free. */
function held(share: Share, taken: bigint, block: bigint, free: bigint): bigint {
  const left = leftOfShare(share) - taken;
  const wanted = left < 0n && taken > 0n ? block : least(left, block);
  return atLeastNothing(least(wanted, free - taken));
}

/** The bucket up to now, with what the share has to tell. */
function told(bucket: SharedBucket | undefined, limit: number, now: number, { used, back }: Share): SharedBucket {
  const next = bucket === undefined ? createBucket(limit, now) : { ...bucket };
  refill(next, limit, now);
  take(next, Number(used));
  take(next, -Number(back));
  return next;
}

/** What was reported as spent in the period, by this worker too; in a period without a report, what settled calls have spent. */
function spentBy({ shared, spentSince }: FoundLimits, { spend, shares }: Mine): NanoDollars {
  if (spend === null) return 0n;
  const known =
    shared?.spend?.period === spend.period ? shared.spend.spent : spentSince(spend.sinceDay, spend.throughDay);
  return known + shares.spend.used - shares.spend.back;
}

function heldBy(leases: readonly Lease[], period: string | null): Amounts {
  const sum = { ...NOTHING };
  for (const lease of leases) {
    sum.requests += lease.requests;
    sum.tokens += lease.tokens;
    if (lease.period === period) sum.spend += lease.spend;
  }
  return sum;
}

/** Absent limits count as full buckets; spending is read from the records again once no lease depends on it. */
function worthKeeping(
  { others }: FoundLimits,
  { spend }: Mine,
  own: Lease | null,
  now: { requests: SharedBucket; tokens: SharedBucket; spent: NanoDollars },
): SharedLimits | null {
  const { requests, tokens, spent } = now;
  const isCounted = spend !== null && (own !== null || others.some(({ period }) => period === spend.period));
  if (!isCounted && own === null && others.length === 0 && requests.missing === 0 && tokens.missing === 0) return null;
  return { requests, tokens, spend: isCounted ? { period: spend.period, spent } : null };
}

function less(bucket: SharedBucket, amount: bigint): SharedBucket {
  const next = { ...bucket };
  take(next, Number(amount));
  return next;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function atLeastNothing(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

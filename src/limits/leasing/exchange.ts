import type { FoundLimits, Lease, SharedBucket, SharedLimits } from '../../core/leases.ts';
import { atLeast, type NanoDollars } from '../../core/money.ts';
import { createBucket, refill, remaining, take } from '../bucket.ts';
import { leftOfShare, type Share } from './share.ts';

/** An amount of each limit. */
export type Amounts = { requests: bigint; tokens: bigint; spend: NanoDollars };

/** What a call takes. If less than `spend` but at least `leastSpend` is free, it is admitted and overdraws the limit. */
export type WantedShares = Amounts & { leastSpend: NanoDollars };

/** A worker's side of an exchange. */
export type WorkerSide = {
  /** Monotonic ms of the machine. */
  now: number;
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** `null` if there is no limit on it, and no open call is held in a period of one that was removed. */
  spend: { amount: NanoDollars; period: string; sinceDay: string | null; throughDay: string | null } | null;
  shares: { requests: Share; tokens: Share; spend: Share };
  /** The most that it holds. */
  blocks: Amounts;
  /** Whether what the workers have told of spending may be less than what was spent: a limit that was away counts nothing. */
  isUnsure: boolean;
  /** Whether it has open calls or expects some. */
  stays: boolean;
};

export type Exchanged = {
  shared: SharedLimits | null;
  own: Lease | null;
  /** What it holds now, in addition to what was wanted. */
  holds: Amounts;
  refused: boolean;
  /** What this worker may use if the others use all that they hold. */
  requests: SharedBucket;
  tokens: SharedBucket;
  spendLeft: NanoDollars;
  /** What the others hold. */
  others: Amounts;
};

export const NOTHING: Amounts = { requests: 0n, tokens: 0n, spend: 0n };
export const NOTHING_WANTED: WantedShares = { ...NOTHING, leastSpend: 0n };

/**
 * Reports usage, returns surplus, and takes what is wanted: from all limits or from none. If a share ran out, a whole
 * block is taken. What is reported and held together never exceeds a limit, except by the last call admitted; then no
 * other is admitted until enough is free again. Where it is `refused`, nothing else of the answer may be used.
 */
export function exchange(found: FoundLimits, mine: WorkerSide, wanted: WantedShares = NOTHING_WANTED): Exchanged {
  const { shares, blocks } = mine;
  const requests = told(found.shared?.requests, mine.requestsPerMinute, mine.now, shares.requests);
  const tokens = told(found.shared?.tokens, mine.tokensPerMinute, mine.now, shares.tokens);
  const others = heldBy(found.others, mine.spend?.period ?? null);
  const spent = spentBy(found, mine, others);
  const free: Amounts = {
    requests: BigInt(remaining(requests)) - others.requests,
    tokens: BigInt(remaining(tokens)) - others.tokens,
    spend: mine.spend === null ? 0n : mine.spend.amount - spent - others.spend,
  };
  const refused = !covers(free, { ...wanted, spend: wanted.leastSpend });
  take(requests, Number(wanted.requests));
  take(tokens, Number(wanted.tokens));
  const holds: Amounts = {
    requests: held(shares.requests, wanted.requests, blocks.requests, free.requests),
    tokens: held(shares.tokens, wanted.tokens, blocks.tokens, free.tokens),
    spend: held(shares.spend, wanted.spend, blocks.spend, free.spend),
  };
  const stays = mine.stays || wanted !== NOTHING_WANTED || !covers(NOTHING, holds);
  const own = stays ? { ...holds, ...account(found, mine, wanted) } : null;
  return {
    shared: worthKeeping(found, mine, own, { requests, tokens, spent: spent + wanted.spend }),
    own,
    holds,
    refused,
    requests: less(requests, others.requests),
    tokens: less(tokens, others.tokens),
    spendLeft: free.spend - wanted.spend,
    others,
  };
}

/** A wanted amount of 0 is always covered, so that free calls are possible after overspending. */
export function covers(held: Amounts, wanted: Amounts): boolean {
  const has = (one: bigint, other: bigint) => other === 0n || one >= other;
  return has(held.requests, wanted.requests) && has(held.tokens, wanted.tokens) && has(held.spend, wanted.spend);
}

/** What is held of one limit besides what is taken: a block if the share ran out, else the rest; at most what is free. */
function held(share: Share, taken: bigint, block: bigint, free: bigint): bigint {
  const left = leftOfShare(share) - taken;
  const wanted = left < 0n && taken > 0n ? block : least(left, block);
  return atLeastNothing(least(wanted, free - taken));
}

/** The bucket at `now`, including what the share reports. */
function told(bucket: SharedBucket | undefined, limit: number, now: number, { used, back }: Share): SharedBucket {
  const next = bucket === undefined ? createBucket(limit, now) : { ...bucket };
  refill(next, limit, now);
  take(next, Number(used));
  take(next, -Number(back));
  return next;
}

/**
 * What was reported as spent in the period, including this worker's report; without a report, what settled calls spent. Where
 * reports may lack some, at least that, but for what others may have used of what they hold: they will report it.
 */
function spentBy(
  { shared, spentSince }: FoundLimits,
  { spend, shares, isUnsure }: WorkerSide,
  others: Amounts,
): NanoDollars {
  if (spend === null) return 0n;
  const settled = () => spentSince(spend.sinceDay, spend.throughDay);
  const own = shares.spend.used - shares.spend.back;
  if (shared?.spend?.period !== spend.period) return settled() + own;
  const reported = shared.spend.spent + own;
  return isUnsure ? atLeast(reported, settled() - others.spend) : reported;
}

/** The worker's account of money after the exchange. */
function account(
  { own, ownSpentSince }: FoundLimits,
  { spend, shares }: WorkerSide,
  wanted: WantedShares,
): Pick<Lease, 'period' | 'told' | 'before'> {
  if (spend === null) return { period: null, told: 0n, before: 0n };
  const { period } = spend;
  const more = shares.spend.used - shares.spend.back;
  const told = more + wanted.spend;
  if (own?.period === period) return { period, told: own.told + told, before: own.before };
  // What is told just now may be in the ledger, and counts from now on.
  return { period, told, before: ownSpentSince(spend.sinceDay, spend.throughDay) - atLeastNothing(more) };
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

/**
 * Missing limits count as full buckets. Spending is read from the records again when no lease depends on it: until then a
 * worker that knows of no limit leaves the sum as it is.
 */
function worthKeeping(
  { shared, others }: FoundLimits,
  { spend }: WorkerSide,
  own: Lease | null,
  now: { requests: SharedBucket; tokens: SharedBucket; spent: NanoDollars },
): SharedLimits | null {
  const { requests, tokens, spent } = now;
  const leases = own === null ? others : [own, ...others];
  if (leases.length === 0 && requests.missing === 0 && tokens.missing === 0) return null;
  const sum = spend === null ? (shared?.spend ?? null) : { period: spend.period, spent };
  return { requests, tokens, spend: leases.some(({ period }) => period === sum?.period) ? sum : null };
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

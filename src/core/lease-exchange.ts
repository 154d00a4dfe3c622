import { type Bucket, createBucket, refill, remaining, take } from './bucket.ts';
import type { Amounts, LeaseAnswer, LeaseAsk, LeasedPeriod, LeaseGrant, LeaseReport, WantedAmounts } from './leases.ts';
import { atLeast, type NanoDollars } from './money.ts';
import { parsePeriodId } from './spend-period.ts';

/**
 * An instance's account with the limits of a key or budget: what it holds and has not reported as used. Money has two
 * sides, both of the period that is named: `spend` is held, and `told` has been reported as spent, open calls included.
 */
export type Lease = Amounts & {
  period: string | null;
  told: NanoDollars;
  /** What the ledger had of this instance's spending in the period when the account was opened. */
  before: NanoDollars;
};

/** Spending of settled calls between two UTC days, inclusive, as in `SpendReader`. */
type SpentSince = (day: string | null, throughDay?: string | null) => NanoDollars;

/** The account of another instance, and what the ledger has of that instance's spending. */
export type FoundLease = Lease & { spentSince: SpentSince };

/** What all instances together have reported as used of the limits of a key or budget. */
export type SharedLimits = {
  requests: Bucket;
  tokens: Bucket;
  spend: { period: string; spent: NanoDollars } | null;
};

/** The limits of a key or budget as a transaction finds them. Absent limits are unused. */
export type FoundLimits = {
  shared: SharedLimits | null;
  own: Lease | null;
  others: readonly FoundLease[];
  /** Of all instances. */
  spentSince: SpentSince;
  /** Of the instance whose account is `own`. */
  ownSpentSince: SpentSince;
};

/** The limits of a key or budget as a transaction leaves them. */
export type KeptLimits = { shared: SharedLimits | null; own: Lease | null };

const NOTHING: Amounts = { requests: 0n, tokens: 0n, spend: 0n };
const NOTHING_WANTED: WantedAmounts = { ...NOTHING, leastSpend: 0n };

/**
 * Decides an exchange: all that is wanted is taken, or nothing.
 *
 * @param found - the limits of each ask
 * @param now - monotonic, in ms, the same clock for all instances
 */
export function decideExchange(
  found: readonly FoundLimits[],
  asks: readonly LeaseAsk[],
  now: number,
): { kept: readonly KeptLimits[]; answer: LeaseAnswer } {
  const sides = asks.map((ask, index) => exchange(found[index]!, ask, now));
  const isGranted = sides.every(({ grant }) => !grant.isRefused);
  if (isGranted) return { kept: sides.map(({ kept }) => kept), answer: { isGranted, grants: sides.map(grantOf) } };
  const reported = asks.map((ask, index) => exchange(found[index]!, { ...ask, wanted: null }, now));
  const grants = reported.map(({ grant }, index) => ({ ...grant, isRefused: sides[index]!.grant.isRefused }));
  return { kept: reported.map(({ kept }) => kept), answer: { isGranted, grants } };
}

function grantOf({ grant }: { grant: LeaseGrant }): LeaseGrant {
  return grant;
}

/**
 * One side of an exchange. If a lease ran out, a whole block is taken. What is reported and held together never exceeds a
 * limit, except by the last call admitted; then no other is admitted until enough is free again. Where it is refused,
 * nothing else of the answer may be used.
 */
export function exchange(found: FoundLimits, ask: LeaseAsk, now: number): { kept: KeptLimits; grant: LeaseGrant } {
  const { reports, blocks, wanted: asked } = ask;
  const wanted = asked ?? NOTHING_WANTED;
  const requests = told(found.shared?.requests, ask.requestsPerMinute, now, reports.requests);
  const tokens = told(found.shared?.tokens, ask.tokensPerMinute, now, reports.tokens);
  const others = heldBy(found.others, ask.spend?.period ?? null);
  const spent = spentBy(found, ask, others);
  const free: Amounts = {
    requests: BigInt(remaining(requests)) - others.requests,
    tokens: BigInt(remaining(tokens)) - others.tokens,
    spend: ask.spend === null ? 0n : ask.spend.amount - spent - others.spend,
  };
  const isRefused = !covers(free, { ...wanted, spend: wanted.leastSpend });
  take(requests, Number(wanted.requests));
  take(tokens, Number(wanted.tokens));
  const holds: Amounts = {
    requests: held(reports.requests, wanted.requests, blocks.requests, free.requests),
    tokens: held(reports.tokens, wanted.tokens, blocks.tokens, free.tokens),
    spend: held(reports.spend, wanted.spend, blocks.spend, free.spend),
  };
  const isLeased =
    asked !== null || ask.hasOpenCalls || (!ask.isLeaving && found.own !== null) || !covers(NOTHING, holds);
  const own = isLeased ? { ...holds, ...account(found, ask, wanted) } : null;
  return {
    kept: { shared: worthKeeping(found, ask.spend, own, { requests, tokens, spent: spent + wanted.spend }), own },
    grant: {
      holds,
      isLeased,
      isRefused,
      requests: less(requests, others.requests),
      tokens: less(tokens, others.tokens),
      spendLeft: free.spend - wanted.spend,
      others,
    },
  };
}

/** A wanted amount of 0 is always covered, so that free calls are possible after overspending. */
function covers(held: Amounts, wanted: Amounts): boolean {
  const has = (one: bigint, other: bigint) => other === 0n || one >= other;
  return has(held.requests, wanted.requests) && has(held.tokens, wanted.tokens) && has(held.spend, wanted.spend);
}

/**
 * What is held of one limit besides what is taken: a block if the lease ran out, else the rest; at most what is free, but
 * at least what the instance keeps.
 */
function held({ left, keeps }: LeaseReport, taken: bigint, block: bigint, free: bigint): bigint {
  const rest = left - taken;
  const wanted = rest < 0n && taken > 0n ? block : least(rest, block);
  return atLeast(keeps, atLeastNothing(least(wanted, free - taken)));
}

/** The bucket at `now`, including what is reported. */
function told(bucket: Bucket | undefined, limit: number, now: number, { used, back }: LeaseReport): Bucket {
  const next = bucket === undefined ? createBucket(limit, now) : { ...bucket };
  refill(next, limit, now);
  take(next, Number(used));
  take(next, -Number(back));
  return next;
}

/**
 * What was reported as spent in the period, including this report. Where no sum of the period is kept, it is what settled
 * calls spent and what is still open in the accounts. Where reports may lack some, it is at least what settled calls
 * spent, but for what others may have used of what they hold: they will report it.
 */
function spentBy(found: FoundLimits, { spend, reports, isUnsure }: LeaseAsk, others: Amounts): NanoDollars {
  if (spend === null) return 0n;
  const { shared, spentSince } = found;
  const settled = () => spentSince(spend.sinceDay, spend.throughDay);
  const own = reports.spend.used - reports.spend.back;
  if (shared?.spend?.period !== spend.period) return settled() + own + openIn(spend, found, reports.spend.used);
  const reported = shared.spend.spent + own;
  return isUnsure ? atLeast(reported, settled() - others.spend) : reported;
}

/**
 * What accounts of the period have reported and the ledger does not have, less what it has and they have not reported. An
 * exchange for another period, asked for before or by another clock, may have replaced the sum while calls are open.
 *
 * @param used - what the instance reports now
 */
function openIn(
  { period, sinceDay, throughDay }: LeasedPeriod,
  { own, others, ownSpentSince }: FoundLimits,
  used: NanoDollars,
): NanoDollars {
  let open = 0n;
  const add = ({ told, before }: Lease, spentSince: SpentSince, unreported: NanoDollars) => {
    // An account lacks what was spent while its limit was away. No more than `unreported` will be reported later.
    open += atLeast(told - (spentSince(sinceDay, throughDay) - before), -unreported);
  };
  if (own?.period === period) add(own, ownSpentSince, used);
  for (const lease of others) if (lease.period === period) add(lease, lease.spentSince, lease.spend);
  return open;
}

/** The instance's account of money after the exchange. */
function account(
  { own, ownSpentSince }: FoundLimits,
  { spend, reports }: LeaseAsk,
  wanted: WantedAmounts,
): Pick<Lease, 'period' | 'told' | 'before'> {
  if (spend === null) return { period: null, told: 0n, before: 0n };
  const { period } = spend;
  const more = reports.spend.used - reports.spend.back;
  const told = more + wanted.spend;
  if (own?.period === period) return { period, told: own.told + told, before: own.before };
  // What is reported just now may be in the ledger, and counts from now on.
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
 * Missing limits count as full buckets. Spending is read from the records again when no lease depends on it: until then an
 * instance that knows of no limit leaves the sum as it is.
 */
function worthKeeping(
  { shared, others }: FoundLimits,
  spend: LeasedPeriod | null,
  own: Lease | null,
  now: { requests: Bucket; tokens: Bucket; spent: NanoDollars },
): SharedLimits | null {
  const { requests, tokens, spent } = now;
  const leases = own === null ? others : [own, ...others];
  if (leases.length === 0 && requests.missing === 0 && tokens.missing === 0) return null;
  const sum = spend === null ? (shared?.spend ?? null) : { period: spend.period, spent };
  return { requests, tokens, spend: leases.some(({ period }) => period === sum?.period) ? sum : null };
}

/**
 * The limits once the account of a dead instance is closed: requests and tokens that it held count as used; of money, what
 * it had reported is replaced by what the ledger has of it since the account was opened. Its calls must be settled.
 *
 * @param now - monotonic, in ms, the same clock for all instances
 */
export function closeAccount({ shared, own, others, ownSpentSince }: FoundLimits, now: number): SharedLimits | null {
  if (shared === null || own === null) return shared;
  const { spend } = shared;
  const isCounted = spend !== null && others.some(({ period }) => period === spend.period);
  const hasTold = spend !== null && own.period === spend.period;
  return {
    requests: without(shared.requests, own.requests, now),
    tokens: without(shared.tokens, own.tokens, now),
    spend: isCounted ? { ...spend, spent: spend.spent + (hasTold ? correction(own, ownSpentSince) : 0n) } : null,
  };
}

/** What the dead instance has spent since its account was opened, less what it had reported. */
function correction({ period, told, before }: Lease, ownSpentSince: FoundLimits['ownSpentSince']): NanoDollars {
  const { sinceDay, throughDay } = parsePeriodId(period!);
  return ownSpentSince(sinceDay, throughDay) - before - told;
}

function without(bucket: Bucket, amount: bigint, now: number): Bucket {
  const next = { ...bucket };
  refill(next, next.limit, now);
  take(next, Number(amount));
  return next;
}

function less(bucket: Bucket, amount: bigint): Bucket {
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

/**
 * A token bucket of `limit` per minute: it holds that many, and refills without a pause at `limit / 60 s`.
 * Kept is what is missing from it, so a new limit holds at once for full and part-used buckets alike.
 */
export type Bucket = {
  limit: number;
  /** What was taken and has not come back yet, in 1/60,000: then `limit` comes back per millisecond, and all is whole numbers. */
  missing: number;
  /** The monotonic millisecond up to which it was refilled. */
  at: number;
};

const MINUTE_MS = 60_000;
/** Minutes of its limit that can be missing: the one that it holds, and one of debt. So a key waits two minutes at most. */
const MOST_MISSING = 2;

/** A full bucket. */
export function createBucket(limit: number, now: number): Bucket {
  return { limit, missing: 0, at: Math.floor(now) };
}

/**
 * Refills the bucket up to now (monotonic ms) at its old limit, then gives it the new one. A debt is cut to what the new limit
 * allows.
 */
export function refill(bucket: Bucket, limit: number, now: number): void {
  const at = Math.floor(now);
  bucket.missing = within(limit, bucket.missing - (at - bucket.at) * bucket.limit);
  bucket.at = at;
  bucket.limit = limit;
}

/** How many milliseconds until `amount` can be taken: 0 if now, `Infinity` if never. */
export function waitFor(bucket: Bucket, amount: number): number {
  if (amount > bucket.limit) return Number.POSITIVE_INFINITY;
  const excess = bucket.missing + (amount - bucket.limit) * MINUTE_MS;
  return Math.max(0, Math.ceil(excess / bucket.limit));
}

/**
 * Takes tokens, even more than are left: a bucket may be in debt, by at most one minute of its limit. A negative amount gives
 * tokens back, and never overfills.
 */
export function take(bucket: Bucket, amount: number): void {
  bucket.missing = within(bucket.limit, bucket.missing + amount * MINUTE_MS);
}

function within(limit: number, missing: number): number {
  return Math.min(Math.max(0, missing), MOST_MISSING * limit * MINUTE_MS);
}

/** What can be taken now, in whole tokens. */
export function remaining(bucket: Bucket): number {
  return Math.max(0, Math.floor(bucket.limit - bucket.missing / MINUTE_MS));
}

/** Milliseconds until it is full. */
export function msUntilFull(bucket: Bucket): number {
  return Math.ceil(bucket.missing / bucket.limit);
}

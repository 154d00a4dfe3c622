/**
 * A token bucket of `limit` per minute: it holds that many, and refills continuously at `limit / 60 s`.
 * It stores what is missing, so that a new limit applies at once to full and partly used buckets alike.
 */
export type Bucket = {
  limit: number;
  /** Tokens missing, in 1/60,000: `limit` of these units refill per millisecond, so all numbers are whole. */
  missing: number;
  /** The monotonic ms up to which it was refilled. */
  at: number;
};

/** The largest limit that a bucket counts exactly, a minute: more than any caller uses. */
export const LARGEST_RATE = 100_000_000_000;
const MINUTE_MS = 60_000;
/** The most that can be missing, in minutes of its limit: its content plus one minute of debt. A key waits no longer. */
const MOST_MISSING = 2;

/** A full bucket. */
export function createBucket(limit: number, now: number): Bucket {
  return { limit, missing: 0, at: Math.floor(now) };
}

/**
 * Refills the bucket up to now (monotonic ms) at its old limit, then sets the new one. Debt is cut to what the new
 * limit allows.
 */
export function refill(bucket: Bucket, limit: number, now: number): void {
  const at = Math.floor(now);
  bucket.missing = within(limit, bucket.missing - (at - bucket.at) * bucket.limit);
  bucket.at = at;
  bucket.limit = limit;
}

/** Milliseconds until `amount` can be taken: 0 if now, `Infinity` if never. */
export function waitFor(bucket: Bucket, amount: number): number {
  if (amount > bucket.limit) return Number.POSITIVE_INFINITY;
  const excess = bucket.missing + (amount - bucket.limit) * MINUTE_MS;
  return Math.max(0, Math.ceil(excess / bucket.limit));
}

/**
 * Takes tokens, even more than are left: a bucket may be in debt by at most one minute of its limit. A negative amount
 * returns tokens, without overfilling.
 */
export function take(bucket: Bucket, amount: number): void {
  bucket.missing = within(bucket.limit, bucket.missing + amount * MINUTE_MS);
}

/** For a request that did not take place. `now`: monotonic ms. */
export function giveBackRequest(requests: Bucket, now: number): void {
  refill(requests, requests.limit, now);
  take(requests, -1);
}

function within(limit: number, missing: number): number {
  return Math.min(Math.max(0, missing), MOST_MISSING * limit * MINUTE_MS);
}

/** Whole tokens that can be taken now. */
export function remaining(bucket: Bucket): number {
  return Math.max(0, Math.floor(bucket.limit - bucket.missing / MINUTE_MS));
}

/** Milliseconds until it is full. */
export function msUntilFull(bucket: Bucket): number {
  return Math.ceil(bucket.missing / bucket.limit);
}

import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Clock, Limiter, LimitRequest, LimitState, Reservation, SpendReader } from '../core/ports.ts';
import type { ApiKey, SpendLimit } from '../core/records.ts';
import { holdsAt, periodAt } from '../core/spend-period.ts';
import { type Bucket, createBucket, refill, take } from './bucket.ts';
import { refuseOverRate, refuseOverSpend, unpriced } from './refusals.ts';
import { leftOf, type SpendPeriod } from './spend.ts';
import { stateOf } from './state.ts';

/** The number of keys remembered before idle ones are dropped. */
const MAX_KEYS = 100_000;
/** How many keys are checked when a new one is added. */
const SWEEP_STEP = 8;

/** The limits of keys without own ones. */
export type DefaultLimits = { requestsPerMinute: number; tokensPerMinute: number };

export type LimiterParts = {
  clock: Clock;
  spend: SpendReader;
  /** Read on each call, since the config can be reloaded. */
  defaults: () => DefaultLimits;
  maxKeys?: number;
};

/** The state of one key. */
type Entry = {
  requests: Bucket;
  tokens: Bucket;
  spend: SpendPeriod | null;
  loading: Promise<void> | null;
  /** Calls that are not settled yet. */
  open: number;
};

/**
 * Limits in memory, for one process: two token buckets per key, and its spend in the current period. Spend is read once
 * per key and period, and counted from then on; a promise is returned only while it is being read.
 */
export function createLimiter(parts: LimiterParts): Limiter {
  return new MemoryLimiter(parts);
}

class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #spend: SpendReader;
  readonly #defaults: () => DefaultLimits;
  readonly #maxKeys: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ clock, spend, defaults, maxKeys = MAX_KEYS }: LimiterParts) {
    this.#clock = clock;
    this.#spend = spend;
    this.#defaults = defaults;
    this.#maxKeys = maxKeys;
  }

  // /!\ Hot path: `reserve` and `state` run for every call.
  reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const entry = this.#refilledEntry(key);
    const limit = key.spendLimit;
    if (limit === null) {
      // Without a limit nothing is counted: one that comes later begins with what the store has by then.
      entry.spend = null;
      refuseOverRate(entry, call.tokens);
      return this.#open(entry, call, null, 0n);
    }
    if (call.cost === null) throw unpriced(key, call.model);
    const period = entry.spend;
    const now = this.#clock.now();
    if (period === null || period.per !== limit.per || !holdsAt(period, now)) {
      return this.#loaded(entry, key.id, limit.per).then(() => this.reserve(key, call));
    }
    refuseOverRate(entry, call.tokens);
    refuseOverSpend(key, { limit, left: leftOf(limit.amount, period), resetMs: period.endsAt - now }, call);
    return this.#open(entry, call, period, call.cost);
  }

  /** Takes what the call needs. Must run after all checks, so that a refused call takes nothing. */
  #open(entry: Entry, call: LimitRequest, period: SpendPeriod | null, held: NanoDollars): Reservation {
    const { tokens } = call;
    const clock = this.#clock;
    let settled = false;
    take(entry.requests, 1);
    take(entry.tokens, tokens);
    entry.open += 1;
    if (period !== null) period.held += held;

    return {
      settle(usedTokens, counted) {
        // Throws and changes nothing: code that settles the limits twice may have settled the ledger twice as well.
        if (settled) throw new Error('A reservation was settled twice.');
        settled = true;
        refill(entry.tokens, entry.tokens.limit, clock.monotonic());
        take(entry.tokens, usedTokens - tokens);
        entry.open -= 1;
        // The period that the call began in, even if another has begun; of a call that had no limit, that of the limit since.
        const counting = period ?? entry.spend;
        if (counting === null) return;
        counting.held -= held;
        counting.spent += counted;
      },
    };
  }

  /** Reads the key's spend in the current period. Concurrent calls share one read. */
  #loaded(entry: Entry, keyId: string, per: SpendLimit['per']): Promise<void> {
    entry.loading ??= this.#load(entry, keyId, per).finally(() => {
      entry.loading = null;
    });
    return entry.loading;
  }

  async #load(entry: Entry, keyId: string, per: SpendLimit['per']): Promise<void> {
    const { sinceDay, throughDay, startsAt, endsAt } = periodAt(per, this.#clock.now());
    try {
      const spent = await this.#spend.spent(keyId, sinceDay, throughDay);
      entry.spend = { per, startsAt, endsAt, spent, held: 0n };
    } catch (cause) {
      throw new GatewayError('storage_unavailable', 'The spend limit could not be checked: storage failed.', { cause });
    }
  }

  state(key: ApiKey): LimitState {
    return stateOf(this.#refilledEntry(key));
  }

  #refilledEntry(key: ApiKey): Entry {
    const limits = this.#defaults();
    const requestsPerMinute = key.requestsPerMinute ?? limits.requestsPerMinute;
    const tokensPerMinute = key.tokensPerMinute ?? limits.tokensPerMinute;
    const now = this.#clock.monotonic();
    const entry = this.#entries.get(key.id);
    if (entry !== undefined) {
      refill(entry.requests, requestsPerMinute, now);
      refill(entry.tokens, tokensPerMinute, now);
      return entry;
    }
    const requests = createBucket(requestsPerMinute, now);
    const tokens = createBucket(tokensPerMinute, now);
    const created: Entry = { requests, tokens, spend: null, loading: null, open: 0 };
    if (this.#entries.size >= this.#maxKeys) this.#sweep(now);
    this.#entries.set(key.id, created);
    return created;
  }

  /** Checks the oldest few entries. Drops idle ones; moves others to the end, so that the next sweep skips them. */
  #sweep(now: number): void {
    let looked = 0;
    for (const [id, entry] of this.#entries) {
      if (looked === SWEEP_STEP) return;
      looked += 1;
      this.#entries.delete(id);
      if (!isIdle(entry, now)) this.#entries.set(id, entry);
    }
  }
}

/** An idle entry equals a new one: its buckets are full, and its spend can be read again. */
function isIdle(entry: Entry, now: number): boolean {
  if (entry.open > 0) return false;
  refill(entry.requests, entry.requests.limit, now);
  refill(entry.tokens, entry.tokens.limit, now);
  return entry.requests.missing === 0 && entry.tokens.missing === 0;
}

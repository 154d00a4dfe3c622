import type { FoundLimits, LeaseStore } from '../../core/leases.ts';
import type { Clock, Limiter, LimitRequest, LimitState, Reservation } from '../../core/ports.ts';
import type { ApiKey } from '../../core/records.ts';
import { periodAt } from '../../core/spend-period.ts';
import { createBucket, refill, take } from '../bucket.ts';
import type { DefaultLimits } from '../limiter.ts';
import { refuseOverRate, refuseOverSpend, unpriced } from '../refusals.ts';
import { type Exchanged, exchange, type Mine, NOTHING, type WantedShares } from './exchange.ts';
import {
  blocksOf,
  covers,
  createHolding,
  type Holding,
  isIdle,
  isSettledUp,
  isWarm,
  type SpendShare,
  toldState,
  wantedBy,
} from './holding.ts';
import { createShare, isDue, renewShare, settleShare, takeFromShare } from './share.ts';

/** A key without calls for this long returns its leases. */
const IDLE_MS = 1_000;
/** A refusal is repeated for this long without asking the store; after that, others may have returned something. */
export const TRUST_MS = 50;
/** How long the limits shown in answers stay valid before the store is asked again. */
const TOLD_MS = 2_000;
/** The number of keys remembered before those that hold nothing are dropped. */
const MAX_KEYS = 100_000;
/** How many keys are checked when a new one is added. */
const SWEEP_STEP = 8;

export type LeasingParts = {
  /** Its monotonic time must be the machine's, the same for all workers. */
  clock: Clock;
  leases: LeaseStore;
  /** The number of workers that share the limits. */
  workers: number;
  /** Read on each call, since the config can be reloaded. */
  defaults: () => DefaultLimits;
  maxKeys?: number;
};

/** `returnIdle` must be called about every second; `close` returns everything once no call is open. */
export type LeasingLimiter = Limiter & { returnIdle(): Promise<void>; close(): Promise<void> };

/**
 * Limits shared by several processes. Each leases blocks of a key's limits from the store and answers from them
 * synchronously; it returns a promise only if a block or a limit is used up.
 */
export function createLeasingLimiter(parts: LeasingParts): LeasingLimiter {
  return new StoreLimiter(parts);
}

class StoreLimiter implements LeasingLimiter {
  readonly #clock: Clock;
  readonly #leases: LeaseStore;
  readonly #workers: number;
  readonly #defaults: () => DefaultLimits;
  readonly #maxKeys: number;
  readonly #holdings = new Map<string, Holding>();
  /** Holdings that the store has leases of. */
  readonly #leased = new Set<Holding>();

  constructor({ clock, leases, workers, defaults, maxKeys = MAX_KEYS }: LeasingParts) {
    this.#clock = clock;
    this.#leases = leases;
    this.#workers = workers;
    this.#defaults = defaults;
    this.#maxKeys = maxKeys;
  }

  // /!\ Hot path: `reserve` and `state` run for every call. While a leased block lasts, they create no promise and do
  // not access the store.
  reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const limit = key.spendLimit;
    if (limit !== null && call.cost === null) throw unpriced(key, call.model);
    const holding = this.#refilled(key);
    const wanted = wantedBy(key, call);
    holding.usedAt = this.#clock.monotonic();
    if (isWarm(holding, limit, this.#clock.now()) && covers(holding, wanted)) return this.#taken(holding, wanted);
    const isKnown = this.#clock.monotonic() - holding.refusedAt < TRUST_MS;
    if (isKnown || call.tokens > holding.tokens.limit) this.#refuse(holding, holding.spend, call);
    return this.#inTurn(holding, () => this.#leaseAndOpen(holding, key, call, wanted));
  }

  /** Throws if, as far as known, the others leave too little. */
  #refuse(holding: Holding, spend: SpendShare | null, call: LimitRequest): void {
    refuseOverRate(holding, call.tokens);
    const limit = holding.key.spendLimit;
    if (limit === null || spend === null) return;
    refuseOverSpend(holding.key, { limit, left: spend.left, resetMs: spend.endsAt - this.#clock.now() }, call);
  }

  /** Takes from the leases, which must cover it. */
  #taken(holding: Holding, wanted: WantedShares): Reservation {
    const { shares, spend } = holding;
    take(holding.requests, 1);
    take(holding.tokens, Number(wanted.tokens));
    takeFromShare(shares.requests, wanted.requests);
    takeFromShare(shares.tokens, wanted.tokens);
    if (spend !== null) {
      takeFromShare(spend.share, wanted.spend);
      spend.left -= wanted.spend;
    }
    return this.#open(holding, wanted);
  }

  /** What was taken must already be reported or counted in the shares. */
  #open(holding: Holding, wanted: WantedShares): Reservation {
    const { shares, spend } = holding;
    let settled = false;
    holding.open += 1;

    return {
      settle: (usedTokens, counted) => {
        // Throws and changes nothing: code that settles the limits twice may have settled the ledger twice as well.
        if (settled) throw new Error('A reservation was settled twice.');
        settled = true;
        refill(holding.tokens, holding.tokens.limit, this.#clock.monotonic());
        take(holding.tokens, usedTokens - Number(wanted.tokens));
        settleShare(shares.tokens, wanted.tokens, BigInt(Math.ceil(usedTokens)));
        holding.open -= 1;
        holding.usedAt = this.#clock.monotonic();
        if (spend !== null) {
          // The period that the call began in, even if another has begun.
          settleShare(spend.share, wanted.spend, counted);
          spend.left += wanted.spend - counted;
        }
        const { blocks } = holding;
        const isSpendDue = spend !== null && spend === holding.spend && isDue(spend.share, blocks.spend);
        if (isSpendDue || isDue(shares.tokens, blocks.tokens)) this.#tellSoon(holding);
      },
    };
  }

  /** Runs one exchange after the other for each key, in the order of the requests. */
  #inTurn<Result>(holding: Holding, work: () => Promise<Result>): Promise<Result> {
    const turn = holding.last.then(work);
    holding.last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #leaseAndOpen(holding: Holding, key: ApiKey, call: LimitRequest, wanted: WantedShares): Promise<Reservation> {
    const limit = key.spendLimit;
    const warm = isWarm(holding, limit, this.#clock.now());
    if (warm && covers(holding, wanted)) return this.#taken(holding, wanted);
    if (!warm) await this.#leases.catchUp();
    return this.#leases.exchange(key.id, (found) => {
      const { exchanged, spend } = this.#exchangeFor(found, holding, wanted);
      return {
        ...exchanged,
        answer: () => {
          this.#apply(holding, exchanged, spend);
          if (exchanged.refused) {
            holding.refusedAt = this.#clock.monotonic();
            // Throws: the local limits are short too, since both are computed from the same numbers.
            this.#refuse(holding, spend, call);
          }
          return this.#open(holding, wanted);
        },
      };
    });
  }

  /** Reports usage, and returns what exceeds a block, or everything that is not in use. A failure shows at the next call. */
  async #tell(holding: Holding, keeps: 'block' | 'nothing'): Promise<void> {
    if (keeps === 'nothing' && holding.spend !== null) await this.#leases.catchUp();
    await this.#leases.exchange(holding.key.id, (found) => {
      const { exchanged, spend } = this.#exchangeFor(found, holding, null, keeps);
      return { ...exchanged, answer: () => this.#apply(holding, exchanged, spend) };
    });
  }

  #tellSoon(holding: Holding): void {
    if (holding.telling) return;
    holding.telling = true;
    this.#inTurn(holding, () => {
      holding.telling = false;
      return this.#tell(holding, 'block');
    }).catch(() => undefined);
  }

  #exchangeFor(
    found: FoundLimits,
    holding: Holding,
    wanted: WantedShares | null,
    keeps: 'block' | 'nothing' = 'block',
  ): { exchanged: Exchanged; spend: SpendShare | null } {
    const { key, shares } = holding;
    const now = this.#clock.monotonic();
    const spend = this.#spendNow(holding);
    const isLeft = keeps === 'nothing' && isIdle(holding, now, IDLE_MS);
    const mine: Mine = {
      now,
      requestsPerMinute: holding.requests.limit,
      tokensPerMinute: holding.tokens.limit,
      spend: spend === null ? null : { amount: key.spendLimit!.amount, ...spend },
      shares: { ...shares, spend: spend?.share ?? createShare() },
      blocks: isLeft ? NOTHING : holding.blocks,
      stays: holding.open > 0 || (!isLeft && found.own !== null),
    };
    return { exchanged: exchange(found, mine, wanted ?? undefined), spend };
  }

  /** The share of the current period; a new one if the period changed. */
  #spendNow({ key, spend }: Holding): SpendShare | null {
    if (key.spendLimit === null) return null;
    const { per } = key.spendLimit;
    const present = periodAt(per, this.#clock.now());
    const period = `${per} ${present.sinceDay ?? ''}`;
    return spend?.period === period ? spend : { ...present, period, per, share: createShare(), left: 0n };
  }

  /** Applies what the store has recorded. */
  #apply(
    holding: Holding,
    { holds, own, others, requests, tokens, spendLeft }: Exchanged,
    spend: SpendShare | null,
  ): void {
    renewShare(holding.shares.requests, holds.requests);
    renewShare(holding.shares.tokens, holds.tokens);
    holding.requests = requests;
    holding.tokens = tokens;
    holding.others = others;
    holding.toldAt = this.#clock.monotonic();
    if (spend !== null) {
      renewShare(spend.share, holds.spend);
      spend.left = spendLeft;
    }
    // Without a lease, the store keeps no sum of the spending: the next call reads it again.
    holding.spend = own === null ? null : spend;
    if (own === null) this.#leased.delete(holding);
    else this.#leased.add(holding);
  }

  #refilled(key: ApiKey): Holding {
    const limits = this.#defaults();
    const requestsPerMinute = key.requestsPerMinute ?? limits.requestsPerMinute;
    const tokensPerMinute = key.tokensPerMinute ?? limits.tokensPerMinute;
    const now = this.#clock.monotonic();
    let holding = this.#holdings.get(key.id);
    if (holding === undefined) {
      holding = createHolding(key, createBucket(requestsPerMinute, now), createBucket(tokensPerMinute, now));
      if (this.#holdings.size >= this.#maxKeys) this.#sweep();
      this.#holdings.set(key.id, holding);
    }
    const isChanged = holding.requests.limit !== requestsPerMinute || holding.tokens.limit !== tokensPerMinute;
    refill(holding.requests, requestsPerMinute, now);
    refill(holding.tokens, tokensPerMinute, now);
    if (isChanged || holding.key !== key || holding.blocks === NOTHING) {
      holding.key = key;
      // A limit that comes later begins with what the store has by then.
      if (key.spendLimit === null) holding.spend = null;
      holding.blocks = blocksOf(requestsPerMinute, tokensPerMinute, key.spendLimit, this.#workers);
    }
    return holding;
  }

  /** Checks the oldest few holdings: those that hold nothing are dropped, the others moved to the end. */
  #sweep(): void {
    let looked = 0;
    for (const [id, holding] of this.#holdings) {
      if (looked === SWEEP_STEP) return;
      looked += 1;
      this.#holdings.delete(id);
      if (this.#leased.has(holding) || holding.open > 0) this.#holdings.set(id, holding);
    }
  }

  async #returnAll(isDueNow: (holding: Holding) => boolean): Promise<void> {
    const due = [...this.#leased].filter(isDueNow);
    await Promise.allSettled(due.map((holding) => this.#inTurn(holding, () => this.#tell(holding, 'nothing'))));
  }

  state(key: ApiKey): LimitState {
    const holding = this.#refilled(key);
    if (this.#clock.monotonic() - holding.toldAt > TOLD_MS) this.#tellSoon(holding);
    return toldState(holding);
  }

  returnIdle(): Promise<void> {
    const now = this.#clock.monotonic();
    return this.#returnAll((holding) => isIdle(holding, now, IDLE_MS) && !(holding.open > 0 && isSettledUp(holding)));
  }

  close(): Promise<void> {
    for (const holding of this.#leased) holding.usedAt = Number.NEGATIVE_INFINITY;
    return this.#returnAll(() => true);
  }
}

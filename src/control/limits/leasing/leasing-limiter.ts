import type { FoundLimits, LeaseStore } from '../../../core/leases.ts';
import type { Clock, Limiter, LimitRequest, Reservation } from '../../../core/ports.ts';
import type { ApiKey } from '../../../core/records.ts';
import { createBucket, refill, take } from '../bucket.ts';
import type { DefaultLimits } from '../limiter.ts';
import { refuseOverRate, refuseOverSpend, unpriced } from '../refusals.ts';
import { periodAt } from '../spend.ts';
import { type Exchanged, exchange, type Mine, NOTHING, type Wanted } from './exchange.ts';
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

/** A key that makes no call for this long gives its leases back. */
const IDLE_MS = 1_000;
/** A refusal is repeated for this long without asking the store; then others may have given something back. */
export const TRUST_MS = 50;
/** What answers tell of the limits is asked anew after this long. */
const TOLD_MS = 2_000;
/** How many keys are remembered before those that hold nothing are dropped. */
const MAX_KEYS = 100_000;
/** How many are looked at for each one that comes in. */
const SWEEP_STEP = 8;

export type LeasingParts = {
  /** Its monotonic reading must be the machine's, the same for all workers. */
  clock: Clock;
  leases: LeaseStore;
  /** How many share the limits. */
  workers: number;
  /** Asked on each call, since the config can be reloaded. */
  defaults: () => DefaultLimits;
  maxKeys?: number;
};

/** `returnIdle` is to be called every second or so; `close` gives everything back, once no call is open. */
export type LeasingLimiter = Limiter & { returnIdle(): Promise<void>; close(): Promise<void> };

/**
 * Limits that hold for several processes together. Each leases blocks of a key's limits from the store and answers from
 * them at once; a promise is returned only where a block is used up, or a limit.
 */
export function createLeasingLimiter(parts: LeasingParts): LeasingLimiter {
  const { clock, leases, workers, defaults, maxKeys = MAX_KEYS } = parts;
  const holdings = new Map<string, Holding>();
  /** Those that the store knows of. */
  const leased = new Set<Holding>();

  // /!\ Hot path: `reserve` and `state` run for every call. A block that lasts costs no promise and no storage.
  function reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const limit = key.spendLimit;
    if (limit !== null && call.cost === null) throw unpriced(key, call.model);
    const holding = refilled(key);
    const wanted = wantedBy(key, call);
    holding.usedAt = clock.monotonic();
    if (isWarm(holding, limit, clock.now()) && covers(holding, wanted)) return taken(holding, wanted);
    const isKnown = clock.monotonic() - holding.refusedAt < TRUST_MS;
    if (isKnown || call.tokens > holding.tokens.limit) refuse(holding, holding.spend, call);
    return inTurn(holding, () => leaseAndOpen(holding, key, call, wanted));
  }

  /** Throws where, as far as is known, the others leave too little. */
  function refuse(holding: Holding, spend: SpendShare | null, call: LimitRequest): void {
    refuseOverRate(holding, call.tokens);
    const limit = holding.key.spendLimit;
    if (limit === null || spend === null) return;
    refuseOverSpend(holding.key, limit, spend.left, call, spend.endsAt - clock.now());
  }

  /** Takes from what is held, which covers it. */
  function taken(holding: Holding, wanted: Wanted): Reservation {
    const { shares, spend } = holding;
    take(holding.requests, 1);
    take(holding.tokens, Number(wanted.tokens));
    takeFromShare(shares.requests, wanted.requests);
    takeFromShare(shares.tokens, wanted.tokens);
    if (spend !== null) {
      takeFromShare(spend.share, wanted.spend);
      spend.left -= wanted.spend;
    }
    return open(holding, wanted);
  }

  /** What was taken is told already, or is counted in the shares. */
  function open(holding: Holding, wanted: Wanted): Reservation {
    const { shares, spend } = holding;
    let settled = false;
    holding.open += 1;

    return {
      settle(usedTokens, counted) {
        // Throws and changes nothing: whoever settles the limits twice may have settled the ledger twice.
        if (settled) throw new Error('A reservation was settled twice.');
        settled = true;
        refill(holding.tokens, holding.tokens.limit, clock.monotonic());
        take(holding.tokens, usedTokens - Number(wanted.tokens));
        settleShare(shares.tokens, wanted.tokens, BigInt(Math.ceil(usedTokens)));
        holding.open -= 1;
        holding.usedAt = clock.monotonic();
        if (spend !== null) {
          // The period the call began in, even if another has begun.
          settleShare(spend.share, wanted.spend, counted);
          spend.left += wanted.spend - counted;
        }
        const { blocks } = holding;
        const isSpendDue = spend !== null && spend === holding.spend && isDue(spend.share, blocks.spend);
        if (isSpendDue || isDue(shares.tokens, blocks.tokens)) tellSoon(holding);
      },
    };
  }

  /** One exchange after the other for each key, in the order in which they were asked for. */
  function inTurn<Result>(holding: Holding, work: () => Promise<Result>): Promise<Result> {
    const turn = holding.last.then(work);
    holding.last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async function leaseAndOpen(holding: Holding, key: ApiKey, call: LimitRequest, wanted: Wanted): Promise<Reservation> {
    const limit = key.spendLimit;
    const warm = isWarm(holding, limit, clock.now());
    if (warm && covers(holding, wanted)) return taken(holding, wanted);
    if (!warm) await leases.catchUp();
    return leases.exchange(key.id, (found) => {
      const { exchanged, spend } = exchangeFor(found, holding, wanted);
      return {
        ...exchanged,
        answer() {
          apply(holding, exchanged, spend);
          if (exchanged.refused) {
            holding.refusedAt = clock.monotonic();
            // Throws: what was refused is short here too, since both are reckoned from the same numbers.
            refuse(holding, spend, call);
          }
          return open(holding, wanted);
        },
      };
    });
  }

  /** Tells what was used and gives back what is too much, or all that is not in use. Whoever calls next hears of failures. */
  async function tell(holding: Holding, keeps: 'block' | 'nothing'): Promise<void> {
    if (keeps === 'nothing' && holding.spend !== null) await leases.catchUp();
    await leases.exchange(holding.key.id, (found) => {
      const { exchanged, spend } = exchangeFor(found, holding, null, keeps);
      return { ...exchanged, answer: () => apply(holding, exchanged, spend) };
    });
  }

  function tellSoon(holding: Holding): void {
    if (holding.telling) return;
    holding.telling = true;
    inTurn(holding, () => {
      holding.telling = false;
      return tell(holding, 'block');
    }).catch(() => undefined);
  }

  function exchangeFor(
    found: FoundLimits,
    holding: Holding,
    wanted: Wanted | null,
    keeps: 'block' | 'nothing' = 'block',
  ): { exchanged: Exchanged; spend: SpendShare | null } {
    const { key, shares } = holding;
    const now = clock.monotonic();
    const spend = spendNow(holding);
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

  /** The share of the period of now; another than the one before where that has ended. */
  function spendNow({ key, spend }: Holding): SpendShare | null {
    if (key.spendLimit === null) return null;
    const { per } = key.spendLimit;
    const present = periodAt(per, clock.now());
    const period = `${per} ${present.sinceDay ?? ''}`;
    return spend?.period === period ? spend : { ...present, period, per, share: createShare(), left: 0n };
  }

  /** The store has it so: now it is so here. */
  function apply(
    holding: Holding,
    { holds, own, others, requests, tokens, spendLeft }: Exchanged,
    spend: SpendShare | null,
  ): void {
    renewShare(holding.shares.requests, holds.requests);
    renewShare(holding.shares.tokens, holds.tokens);
    holding.requests = requests;
    holding.tokens = tokens;
    holding.others = others;
    holding.toldAt = clock.monotonic();
    if (spend !== null) {
      renewShare(spend.share, holds.spend);
      spend.left = spendLeft;
    }
    // Without a lease nothing keeps the sum of its spending: the next call reads it anew.
    holding.spend = own === null ? null : spend;
    if (own === null) leased.delete(holding);
    else leased.add(holding);
  }

  function refilled(key: ApiKey): Holding {
    const limits = defaults();
    const requestsPerMinute = key.requestsPerMinute ?? limits.requestsPerMinute;
    const tokensPerMinute = key.tokensPerMinute ?? limits.tokensPerMinute;
    const now = clock.monotonic();
    let holding = holdings.get(key.id);
    if (holding === undefined) {
      holding = createHolding(key, createBucket(requestsPerMinute, now), createBucket(tokensPerMinute, now));
      if (holdings.size >= maxKeys) sweep();
      holdings.set(key.id, holding);
    }
    const isChanged = holding.requests.limit !== requestsPerMinute || holding.tokens.limit !== tokensPerMinute;
    refill(holding.requests, requestsPerMinute, now);
    refill(holding.tokens, tokensPerMinute, now);
    if (isChanged || holding.key !== key || holding.blocks === NOTHING) {
      holding.key = key;
      holding.blocks = blocksOf(requestsPerMinute, tokensPerMinute, key.spendLimit, workers);
    }
    return holding;
  }

  /** Looks at the oldest few: those that hold nothing are dropped, the others go to the end. */
  function sweep(): void {
    let looked = 0;
    for (const [id, holding] of holdings) {
      if (looked === SWEEP_STEP) return;
      looked += 1;
      holdings.delete(id);
      if (leased.has(holding) || holding.open > 0) holdings.set(id, holding);
    }
  }

  async function returnAll(isDueNow: (holding: Holding) => boolean): Promise<void> {
    const due = [...leased].filter(isDueNow);
    await Promise.allSettled(due.map((holding) => inTurn(holding, () => tell(holding, 'nothing'))));
  }

  return {
    reserve,
    state(key) {
      const holding = refilled(key);
      if (clock.monotonic() - holding.toldAt > TOLD_MS) tellSoon(holding);
      return toldState(holding);
    },
    returnIdle() {
      const now = clock.monotonic();
      return returnAll((holding) => isIdle(holding, now, IDLE_MS) && !(holding.open > 0 && isSettledUp(holding)));
    },
    close() {
      for (const holding of leased) holding.usedAt = Number.NEGATIVE_INFINITY;
      return returnAll(() => true);
    },
  };
}

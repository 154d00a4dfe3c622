import { createBucket, giveBackRequest, refill, take } from '../../core/bucket.ts';
import { type Budget, type CallBudgets, NO_BUDGETS } from '../../core/budget.ts';
import type { LeaseAnswer, LeaseStore } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import type { Clock, Limiter, LimitRequest, LimitState, Reservation } from '../../core/ports.ts';
import { budgetOwner, type LimitSubject } from '../../core/records.ts';
import { keyBudget } from '../budgets.ts';
import type { DefaultLimits } from '../limiter.ts';
import { refuseOverRate, refuseOverSpend, refuseUnpriced } from '../refusals.ts';
import { applyGrant, askFor, type HoldingAsk, isAsAsked, withdrawAsks } from './ask.ts';
import { ExchangeQueue, type ReadyExchange } from './exchange-queue.ts';
import {
  blocksOf,
  createBudgetHolding,
  createHolding,
  type Holding,
  isIdle,
  isPeriodKnown,
  isSettledUp,
  leasedAmount,
  NOTHING,
  type SpendShare,
  settleSpend,
  toldState,
} from './holding.ts';
import { isDue, settleShare, takeFromShare } from './share.ts';
import { areCovered, spendNow, type WantedByCall, wantedOfBudget, wantedOfKey } from './wanted.ts';

/** A key without calls that are let in returns its leases after this long: others may have room for what it refuses. */
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
  clock: Clock;
  leases: Pick<LeaseStore, 'exchange' | 'catchUp'>;
  /** The number of workers that share the limits. */
  workers: number;
  /** Read on each call, since the config can be reloaded. */
  defaults: () => DefaultLimits;
  maxKeys?: number;
};

/** `returnIdle` must be called about every second; `close` returns everything once no call is open. */
export type LeasingLimiter = Limiter & { returnIdle(): Promise<void>; close(): Promise<void> };

/**
 * Limits shared by several processes. Each leases blocks of the limits of keys and budgets from the store and answers from
 * them synchronously; it returns a promise only if a block or a limit is used up. What a call lacks is then asked for in one
 * transaction with all that the call wants: it gets all or nothing.
 */
export function createLeasingLimiter(parts: LeasingParts): LeasingLimiter {
  return new StoreLimiter(parts);
}

/** What came of an exchange for a call. `null`: the store refused it. */
type Leased = { reservation: Reservation | null; asked: readonly HoldingAsk[] };

class StoreLimiter implements LeasingLimiter {
  readonly #clock: Clock;
  readonly #leases: LeasingParts['leases'];
  readonly #exchanges: ExchangeQueue;
  readonly #workers: number;
  readonly #defaults: () => DefaultLimits;
  readonly #maxKeys: number;
  readonly #holdings = new Map<string, Holding>();
  /** The same for budgets: a key's holding has its spend limit. */
  readonly #budgets = new Map<string, Holding>();
  /** Holdings that the store has leases of. */
  readonly #leased = new Set<Holding>();

  constructor({ clock, leases, workers, defaults, maxKeys = MAX_KEYS }: LeasingParts) {
    this.#clock = clock;
    this.#leases = leases;
    this.#exchanges = new ExchangeQueue(leases);
    this.#workers = workers;
    this.#defaults = defaults;
    this.#maxKeys = maxKeys;
  }

  // /!\ Hot path: `reserve` and `state` run for every call. While a leased block lasts, they create no promise and do
  // not access the store.
  reserve(subject: LimitSubject, call: LimitRequest): Reservation | Promise<Reservation> {
    const wanted = this.#wantedBy(subject, call);
    const { budgets, holdings } = wanted;
    if (call.cost === null) refuseUnpriced(budgets, call);
    const monotonic = this.#clock.monotonic();
    const now = this.#clock.now();
    if (areCovered(wanted, now)) return this.#taken(wanted, now);
    const isKnown = holdings.some(({ refusedAt }) => monotonic - refusedAt < TRUST_MS);
    if (isKnown || call.tokens > holdings[0]!.tokens.limit) {
      this.#refuse(
        wanted,
        holdings.map(({ spend }) => spend),
      );
    }
    return this.#inTurn(holdings, () => this.#leaseAndOpen(wanted));
  }

  #wantedBy(subject: LimitSubject, call: LimitRequest): WantedByCall {
    const { list }: CallBudgets = call.budgets ?? NO_BUDGETS;
    const mine = this.#refilled(subject);
    const own = mine.money;
    const holdings = [mine];
    const shares = [wantedOfKey(own, call)];
    for (const budget of list) {
      holdings.push(this.#holdingOf(budget));
      shares.push(wantedOfBudget(budget, call));
    }
    return { call, budgets: own === null ? list : [own, ...list], holdings, shares };
  }

  /** Throws if, as far as known, the others leave too little. `spends`: what is known of each holding. */
  #refuse({ call, budgets, holdings }: WantedByCall, spends: readonly (SpendShare | null)[]): void {
    const now = this.#clock.now();
    refuseOverRate(holdings[0]!, call.tokens);
    const first = holdings.length - budgets.length;
    refuseOverSpend(budgets, call, now, (_budget, index) => spendNow(spends[first + index] ?? null));
  }

  /** Takes from the leases, which must cover it. */
  #taken(wanted: WantedByCall, now: number): Reservation {
    const { holdings, shares } = wanted;
    for (let index = 0; index < holdings.length; index += 1) {
      const { spend, shares: held, requests, tokens } = holdings[index]!;
      const share = shares[index]!;
      if (index === 0) {
        take(requests, 1);
        take(tokens, Number(share.tokens));
        takeFromShare(held.requests, share.requests);
        takeFromShare(held.tokens, share.tokens);
      }
      if (spend !== null) {
        takeFromShare(spend.share, share.spend);
        spend.left -= share.spend;
      }
    }
    return this.#open(wanted, now);
  }

  /** What was taken must already be reported or counted in the shares. */
  #open({ holdings, shares }: WantedByCall, at: number): Reservation {
    const spends = holdings.map(({ money, spend }) => (money === null ? null : spend));
    let settled = false;
    const monotonic = this.#clock.monotonic();
    for (const holding of holdings) {
      holding.open += 1;
      holding.usedAt = monotonic;
    }

    const mine = holdings[0]!;
    const settle = (usedTokens: number, total: NanoDollars, uncounted?: ReadonlySet<string>) => {
      // Throws and changes nothing: code that settles the limits twice may have settled the ledger twice as well.
      if (settled) throw new Error('A reservation was settled twice.');
      settled = true;
      const { tokens } = shares[0]!;
      refill(mine.tokens, mine.tokens.limit, this.#clock.monotonic());
      take(mine.tokens, usedTokens - Number(tokens));
      settleShare(mine.shares.tokens, tokens, BigInt(Math.ceil(usedTokens)));
      if (isDue(mine.shares.tokens, mine.blocks.tokens)) this.#tellSoon(mine);
      for (let index = 0; index < holdings.length; index += 1) {
        const holding = holdings[index]!;
        holding.open -= 1;
        holding.settled += 1;
        holding.usedAt = this.#clock.monotonic();
        const counted = uncounted?.has(holding.id) ? 0n : total;
        const isSpendDue = settleSpend(holding, spends[index]!, { at, held: shares[index]!.spend, counted });
        if (isSpendDue) this.#tellSoon(holding);
      }
    };
    const cancel = () => {
      settle(0, 0n);
      giveBackRequest(mine.requests, this.#clock.monotonic());
      settleShare(mine.shares.requests, 1n, 0n);
      if (isDue(mine.shares.requests, mine.blocks.requests)) this.#tellSoon(mine);
    };
    return { at, settle, cancel };
  }

  /** Runs one exchange after the other for each holding, in the order of the requests. */
  #inTurn<Result>(holdings: readonly Holding[], work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.all(holdings.map(({ last }) => last)).then(work);
    const end = () => {
      for (const holding of holdings) holding.pending -= 1;
    };
    const last = turn.then(end, end);
    for (const holding of holdings) {
      holding.last = last;
      holding.pending += 1;
    }
    // Only now: a new holding of a call must not be dropped before it is queued.
    for (const all of [this.#holdings, this.#budgets]) if (all.size > this.#maxKeys) this.#sweep(all);
    return turn;
  }

  async #leaseAndOpen(wanted: WantedByCall): Promise<Reservation> {
    for (;;) {
      if (areCovered(wanted, this.#clock.now())) return this.#taken(wanted, this.#clock.now());
      const read = await this.#catchUpFor(wanted.holdings);
      const settled = settledOf(read);
      // What is settled while the exchange waits for its turn may be missing in the store.
      const leased = await this.#exchanges.send(() =>
        settledOf(read) === settled ? this.#leasing(wanted, read) : null,
      );
      if (leased === null) continue;
      if (leased.reservation !== null) return leased.reservation;
      this.#refuse(
        wanted,
        leased.asked.map(({ spend }) => spend),
      );
      // Calls that ended meanwhile may have made room.
      if (wanted.holdings.every((holding, index) => holding.settled === leased.asked[index]!.settled))
        throw new Error('The store refused a reservation that the worker’s limits allow.');
    }
  }

  /** The exchange for a call. `read`: the holdings whose spending is read by it. */
  #leasing(wanted: WantedByCall, read: readonly Holding[]): ReadyExchange<Leased> {
    const { holdings, shares } = wanted;
    const at = this.#clock.now();
    const asked = holdings.map((holding, index) => askFor(holding, at, { wanted: shares[index]!, isLeaving: false }));
    return {
      asks: asked.map(({ ask }) => ask),
      apply: (answer) => {
        this.#applyAll(holdings, asked, answer);
        // What was settled or changed meanwhile may be missing in what was read.
        for (const holding of read) holding.isUnsure = !isAsAsked(holding, asked[holdings.indexOf(holding)]!);
        if (answer.isGranted) return { reservation: this.#open(wanted, at), asked };
        const now = this.#clock.monotonic();
        for (const [index, { isRefused }] of answer.grants.entries()) if (isRefused) holdings[index]!.refusedAt = now;
        return { reservation: null, asked };
      },
      withdraw: () => withdrawAsks(holdings, asked),
      abandon: ({ reservation }) => reservation?.cancel(),
    };
  }

  #applyAll(holdings: readonly Holding[], asked: readonly HoldingAsk[], { grants }: LeaseAnswer): void {
    for (const [index, holding] of holdings.entries()) {
      const grant = grants[index]!;
      applyGrant(holding, asked[index]!, grant, this.#clock.monotonic());
      if (grant.isLeased) this.#leased.add(holding);
      else this.#leased.delete(holding);
    }
  }

  /**
   * Has the store know what was settled under an id whose period is to be read. What is settled meanwhile may be missing there,
   * so it is waited for again; no call is let in meanwhile, so that there is an end to it. Resolves with these holdings.
   */
  async #catchUpFor(holdings: readonly Holding[]): Promise<readonly Holding[]> {
    const now = this.#clock.now();
    const cold = holdings.filter((holding) => !isPeriodKnown(holding, now));
    for (let before = -1; cold.length > 0 && before !== settledOf(cold); ) {
      before = settledOf(cold);
      await this.#leases.catchUp();
    }
    return cold;
  }

  /** Reports usage, and returns what exceeds a block, or everything that is not in use. A failure shows at the next call. */
  async #tell(holding: Holding, keeps: 'block' | 'nothing'): Promise<void> {
    if (keeps === 'nothing' && holding.spend !== null) await this.#leases.catchUp();
    await this.#exchanges.send(() => {
      const isLeaving = keeps === 'nothing' && isIdle(holding, this.#clock.monotonic(), IDLE_MS);
      const asked = askFor(holding, this.#clock.now(), { wanted: null, isLeaving });
      const apply = (answer: LeaseAnswer) => this.#applyAll([holding], [asked], answer);
      return { asks: [asked.ask], apply, withdraw: () => withdrawAsks([holding], [asked]), abandon: () => undefined };
    });
  }

  #tellSoon(holding: Holding): void {
    if (holding.telling) return;
    holding.telling = true;
    this.#inTurn([holding], () => {
      holding.telling = false;
      return this.#tell(holding, 'block');
    }).catch(() => undefined);
  }

  #refilled(subject: LimitSubject): Holding {
    const limits = this.#defaults();
    const requestsPerMinute = subject.requestsPerMinute ?? limits.requestsPerMinute;
    const tokensPerMinute = subject.tokensPerMinute ?? limits.tokensPerMinute;
    const now = this.#clock.monotonic();
    let holding = this.#holdings.get(subject.id);
    if (holding === undefined) {
      holding = createHolding(subject.id, createBucket(requestsPerMinute, now), createBucket(tokensPerMinute, now));
      this.#holdings.set(holding.id, holding);
    }
    const isChanged = holding.requests.limit !== requestsPerMinute || holding.tokens.limit !== tokensPerMinute;
    refill(holding.requests, requestsPerMinute, now);
    refill(holding.tokens, tokensPerMinute, now);
    const { spendLimit } = subject;
    const { money } = holding;
    if (holding.subject !== subject) {
      holding.subject = subject;
      holding.isUnsure = spendLimit !== null;
    }
    const isOther = money?.amount !== spendLimit?.amount || money?.per !== spendLimit?.per;
    if (isChanged || isOther || holding.blocks === NOTHING) {
      if (isOther) holding.money = keyBudget(subject);
      holding.blocks = blocksOf(requestsPerMinute, tokensPerMinute, spendLimit?.amount ?? 0n, this.#workers);
    }
    return holding;
  }

  #holdingOf(budget: Budget): Holding {
    let holding = this.#budgets.get(budget.id);
    if (holding === undefined) {
      holding = createBudgetHolding(budget.id);
      this.#budgets.set(holding.id, holding);
    }
    const now = this.#clock.now();
    // Of a product, the store counts all calls, with a budget or without.
    if (holding.money !== budget && budgetOwner(budget.id) !== null) holding.isUnsure = true;
    if (holding.money !== budget || holding.spend?.amount !== leasedAmount(budget, now)) {
      holding.money = budget;
      holding.blocks = { ...NOTHING, spend: blocksOf(0, 0, leasedAmount(budget, now), this.#workers).spend };
    }
    return holding;
  }

  /** Checks the oldest few holdings: those that hold nothing and wait for nothing are dropped, the others moved to the end. */
  #sweep(holdings: Map<string, Holding>): void {
    let looked = 0;
    for (const [id, holding] of holdings) {
      if (looked === SWEEP_STEP) return;
      looked += 1;
      holdings.delete(id);
      if (this.#leased.has(holding) || holding.open > 0 || holding.pending > 0) holdings.set(id, holding);
    }
  }

  async #returnAll(isDueNow: (holding: Holding) => boolean): Promise<void> {
    const due = [...this.#leased].filter(isDueNow);
    await Promise.allSettled(due.map((holding) => this.#inTurn([holding], () => this.#tell(holding, 'nothing'))));
  }

  state(subject: LimitSubject): LimitState {
    const holding = this.#refilled(subject);
    if (this.#clock.monotonic() - holding.toldAt > TOLD_MS) this.#tellSoon(holding);
    return toldState(holding);
  }

  async returnIdle(): Promise<void> {
    await this.#exchanges.settle();
    const now = this.#clock.monotonic();
    await this.#returnAll((holding) => isIdle(holding, now, IDLE_MS) && !(holding.open > 0 && isSettledUp(holding)));
  }

  async close(): Promise<void> {
    await this.#exchanges.settle();
    for (const holding of this.#leased) holding.usedAt = Number.NEGATIVE_INFINITY;
    await this.#returnAll(() => true);
  }
}

function settledOf(holdings: readonly Holding[]): number {
  return holdings.reduce((sum, { settled }) => sum + settled, 0);
}

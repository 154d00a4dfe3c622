import { type Bucket, createBucket, giveBackRequest, refill, take } from '../core/bucket.ts';
import { type Budget, type CallBudgets, NO_BUDGETS } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Clock, Limiter, LimitRequest, LimitState, Reservation, SpendReader } from '../core/ports.ts';
import { budgetId, KEY_GROUPS, type LimitSubject } from '../core/records.ts';
import { keyBudget } from './budgets.ts';
import { refuseOverRate, refuseOverSpend, refuseUnpriced } from './refusals.ts';
import { Spending, type SpendPeriod } from './spending.ts';
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

/** A cache of the limits on a subject's spending, valid for this subject and these budgets. */
type MoneyLimits = {
  subject: LimitSubject;
  budgets: CallBudgets;
  /** The spend limit of the key, then the budgets. */
  list: readonly Budget[];
  /**
   * Further ids under which the store counts such calls. Nothing limits them now, but a limit may be set again within its
   * period.
   */
  unlimited: readonly string[];
};

/** The state of one key. */
type Entry = {
  requests: Bucket;
  tokens: Bucket;
  money: MoneyLimits;
  /** Calls that are not settled yet. */
  open: number;
};

const NOTHING_HELD: readonly SpendPeriod[] = [];

/**
 * Limits in memory, for one process: two token buckets per key, and the spending of keys and budgets in the current period.
 * Spending is read once per id and period, and counted from then on; a promise is returned only while it is being read.
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
  readonly #spendings = new Map<string, Spending>();

  constructor({ clock, spend, defaults, maxKeys = MAX_KEYS }: LimiterParts) {
    this.#clock = clock;
    this.#spend = spend;
    this.#defaults = defaults;
    this.#maxKeys = maxKeys;
  }

  // /!\ Hot path: `reserve` and `state` run for every call.
  reserve(subject: LimitSubject, call: LimitRequest): Reservation | Promise<Reservation> {
    const entry = this.#refilledEntry(subject);
    const { budgets = NO_BUDGETS } = call;
    if (entry.money.subject !== subject || entry.money.budgets !== budgets)
      entry.money = moneyLimitsOf(subject, budgets);
    const { list } = entry.money;
    const now = this.#clock.now();
    if (list.length === 0) {
      refuseOverRate(entry, call.tokens);
      return this.#open(entry, call, NOTHING_HELD, now);
    }
    if (call.cost === null) refuseUnpriced(list, call);
    const periods = this.#periodsAt(list, now);
    if (periods === null) return this.#load(list, now).then(() => this.reserve(subject, call));
    refuseOverRate(entry, call.tokens);
    refuseOverSpend(list, call, now, (_budget, index) => periods[index]!);
    return this.#open(entry, call, periods, now);
  }

  /** The current periods; `null` if some must be read. */
  #periodsAt(list: readonly Budget[], now: number): SpendPeriod[] | null {
    const periods: SpendPeriod[] = [];
    for (const { id, per } of list) {
      const period = this.#spendings.get(id)?.knownAt(per, now) ?? null;
      if (period === null) return null;
      periods.push(period);
    }
    return periods;
  }

  /** Takes what the call needs. Must run after all checks, so that a refused call takes nothing. */
  #open(entry: Entry, call: LimitRequest, periods: readonly SpendPeriod[], at: number): Reservation {
    const { tokens } = call;
    const held = call.cost ?? 0n;
    const clock = this.#clock;
    const spendings = this.#spendings;
    const { unlimited } = entry.money;
    let settled = false;
    take(entry.requests, 1);
    take(entry.tokens, tokens);
    entry.open += 1;
    for (const period of periods) {
      period.held += held;
      period.of.open += 1;
    }

    const settle = (usedTokens: number, counted: NanoDollars, uncounted?: ReadonlySet<string>) => {
      // Throws and changes nothing: code that settles the limits twice may have settled the ledger twice as well.
      if (settled) throw new Error('A reservation was settled twice.');
      settled = true;
      refill(entry.tokens, entry.tokens.limit, clock.monotonic());
      take(entry.tokens, usedTokens - tokens);
      entry.open -= 1;
      for (const period of periods) {
        period.of.open -= 1;
        period.of.settle(at, uncounted?.has(period.of.id) ? 0n : counted, period, held);
      }
      if (counted === 0n || spendings.size === 0) return;
      for (const id of unlimited) spendings.get(id)?.settle(at, counted, null, 0n);
    };
    const cancel = () => {
      settle(0, 0n);
      giveBackRequest(entry.requests, clock.monotonic());
    };
    return { at, settle, cancel };
  }

  /** Reads unknown spending of the current periods. */
  async #load(list: readonly Budget[], now: number): Promise<void> {
    const cold = list.filter(({ id, per }) => !this.#spendings.get(id)?.knownAt(per, now));
    try {
      await Promise.all(cold.map(({ id, per }) => this.#spendingOf(id).load(per, now, this.#spend)));
    } catch (cause) {
      throw new GatewayError('storage_unavailable', 'The spend limit could not be checked: storage failed.', { cause });
    }
  }

  #spendingOf(id: string): Spending {
    let spending = this.#spendings.get(id);
    if (spending !== undefined) return spending;
    if (this.#spendings.size >= this.#maxKeys) sweep(this.#spendings, (each) => each.isIdle);
    spending = new Spending(id);
    this.#spendings.set(id, spending);
    return spending;
  }

  state(subject: LimitSubject): LimitState {
    return stateOf(this.#refilledEntry(subject));
  }

  #refilledEntry(subject: LimitSubject): Entry {
    const limits = this.#defaults();
    const requestsPerMinute = subject.requestsPerMinute ?? limits.requestsPerMinute;
    const tokensPerMinute = subject.tokensPerMinute ?? limits.tokensPerMinute;
    const now = this.#clock.monotonic();
    const entry = this.#entries.get(subject.id);
    if (entry !== undefined) {
      refill(entry.requests, requestsPerMinute, now);
      refill(entry.tokens, tokensPerMinute, now);
      return entry;
    }
    const requests = createBucket(requestsPerMinute, now);
    const tokens = createBucket(tokensPerMinute, now);
    const created: Entry = { requests, tokens, money: moneyLimitsOf(subject, NO_BUDGETS), open: 0 };
    if (this.#entries.size >= this.#maxKeys) sweep(this.#entries, (each) => isIdle(each, now));
    this.#entries.set(subject.id, created);
    return created;
  }
}

function moneyLimitsOf(subject: LimitSubject, budgets: CallBudgets): MoneyLimits {
  const own = keyBudget(subject);
  const limited = new Set(budgets.list.map(({ id }) => id));
  const unlimited = [...(own === null ? [subject.id] : []), ...groupsOf(subject).filter((id) => !limited.has(id))];
  return { subject, budgets, list: own === null ? budgets.list : [own, ...budgets.list], unlimited };
}

/** The group ids under which the store also counts a key's calls. */
function groupsOf({ product, projectId, organizationId }: LimitSubject): string[] {
  const groups = { product, project: projectId, organization: organizationId };
  return KEY_GROUPS.flatMap((of) => (groups[of] === null ? [] : budgetId({ of, id: groups[of] })));
}

/** Checks the oldest few of a map. Drops idle ones; moves others to the end, so that the next sweep skips them. */
function sweep<Value>(map: Map<string, Value>, isIdleNow: (value: Value) => boolean): void {
  let looked = 0;
  for (const [id, value] of map) {
    if (looked === SWEEP_STEP) return;
    looked += 1;
    map.delete(id);
    if (!isIdleNow(value)) map.set(id, value);
  }
}

/** An idle entry equals a new one: its buckets are full. */
function isIdle(entry: Entry, now: number): boolean {
  if (entry.open > 0) return false;
  refill(entry.requests, entry.requests.limit, now);
  refill(entry.tokens, entry.tokens.limit, now);
  return entry.requests.missing === 0 && entry.tokens.missing === 0;
}

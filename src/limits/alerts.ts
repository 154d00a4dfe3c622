import {
  amountAt,
  type PassedThreshold,
  type Threshold,
  type ThresholdStore,
  thresholdAmount,
  thresholdId,
  type WatchedSpend,
} from '../core/budget.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Clock } from '../core/ports.ts';
import { type Period, periodAt, periodId } from '../core/spend-period.ts';
import { DAY_MS } from '../core/utc-day.ts';

/** The shortest pause between two rounds, and its multiple of a round's duration: ten thousand budgets take 0.2 s. */
const PAUSE_MS = 1_000;
const PAUSE_ROUNDS = 50;
/** The longest pause: on a busy machine rounds are long, and alerts must not wait for that. */
const MAX_PAUSE_MS = 5_000;
/** How long a period is still checked after its end: its calls may end late, and the gateway may have been down. */
const LATE_MS = DAY_MS;
/** How long raised alerts are remembered: longer than any period. */
const KEPT_MS = 100 * DAY_MS;
/**
 * A hard budget refuses calls before all of it is spent. It counts as used up once this percentage is spent and a call was
 * refused for it.
 */
const NEARLY_PERCENT = 90n;
/** Pauses after failed deliveries, in ms; the last one repeats. */
const RETRY_PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];

/** The most concurrent alerts by mail; others wait for another round. */
const MOST_MAILS = 10;

export type AlertParts = {
  /** All watched spending, read at each round. */
  watched(): Promise<readonly WatchedSpend[]>;
  store: ThresholdStore;
  clock: Clock;
  /**
   * Called once per period for each passed threshold. Called again if it rejects, or if the process ends before it resolves:
   * at least once. `id`, `period` and `threshold` identify the event.
   */
  onThreshold(passed: PassedThreshold): Promise<void>;
  onError(error: unknown): void;
};

/** Watched spending in a period, with the thresholds whose alerts are pending. */
type Watch = { watched: WatchedSpend; period: Period; periodName: string; untold: Threshold[]; isUsedUp: boolean };

/** A passed threshold and its amount. */
type Passed = { threshold: Threshold; amount: NanoDollars };

/** Failed deliveries: their number, and the time of the next one (Unix ms). */
type Failure = { times: number; retryAt: number };

/**
 * Raises alerts for spending that has passed a threshold. It reads the sums that settlements update, so it covers all processes
 * and costs calls nothing. One process runs it per data folder.
 */
export class BudgetAlerts {
  readonly #parts: AlertParts;
  /** The thresholds whose alerts were raised, by id and period. */
  readonly #told = new Map<string, Map<string, Set<string>>>();
  readonly #failures = new Map<string, Failure>();
  /** Deliveries in progress, by id. Rounds do not wait for them, since a mail server may be slow. */
  readonly #telling = new Map<string, { isMailed: boolean; done: Promise<void> }>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: AlertParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#lookIn(PAUSE_MS);
  }

  /** Resolves when no delivery is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    await this.idle();
  }

  /** Resolves when all deliveries in progress have succeeded or failed. */
  async idle(): Promise<void> {
    await Promise.all([...this.#telling.values()].map(({ done }) => done));
  }

  #lookIn(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, ms).unref();
  }

  async #look(): Promise<void> {
    const { monotonic } = this.#parts.clock;
    const beganAt = monotonic();
    await this.look();
    this.#lookIn(Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_ROUNDS * (monotonic() - beganAt))));
  }

  /**
   * Looks at all that is watched once, and begins to tell what is to be told. Never rejects; what failed is tried again in
   * a later round.
   */
  async look(): Promise<void> {
    const { store, onError } = this.#parts;
    try {
      const watches = await this.#watches();
      if (watches.length === 0) return;
      await this.#markUsedUp(watches);
      const spent = await store.spent(
        watches.map(({ watched: { spentUnder: id }, period: { sinceDay, throughDay } }) => ({
          id,
          sinceDay,
          throughDay,
        })),
      );
      for (const [index, each] of watches.entries()) this.#beginToTell(each, spent[index]!);
    } catch (error) {
      onError(error);
    }
  }

  async #markUsedUp(watches: readonly Watch[]): Promise<void> {
    const hard = watches.filter(({ watched }) => watched.isHard);
    if (hard.length === 0) return;
    const usedUp = await this.#parts.store.usedUp([...new Set(hard.map(({ watched }) => watched.spentUnder))]);
    const names = new Set(usedUp.map(({ id, period }) => `${id} ${period}`));
    for (const each of hard) each.isUsedUp = names.has(`${each.watched.spentUnder} ${each.periodName}`);
  }

  async #watches(): Promise<Watch[]> {
    const now = this.#parts.clock.now();
    const all = (await this.#parts.watched()).filter(({ alerts }) => alerts.length > 0);
    await this.#readRaised(all);
    return all.flatMap((watched) => this.#untoldOf(watched, now));
  }

  #untoldOf(watched: WatchedSpend, now: number): Watch[] {
    const told = this.#told.get(watched.id)!;
    const periods = periodsOf(watched, now).map((period) => ({ period, periodName: periodId(watched.per, period) }));
    for (const name of told.keys()) if (!periods.some(({ periodName }) => periodName === name)) told.delete(name);
    // Asked here, and not when telling begins: what is told by then would look as if it were not.
    if (this.#telling.has(watched.id) || (this.#failures.get(watched.id)?.retryAt ?? now) > now) return [];
    return periods.flatMap(({ period, periodName }) => {
      const untold = watched.alerts.filter((each) => !told.get(periodName)?.has(thresholdId(each)));
      return untold.length === 0 ? [] : [{ watched, period, periodName, untold, isUsedUp: false }];
    });
  }

  /** Reads alerts that earlier processes raised for new entries, and forgets removed entries. */
  async #readRaised(all: readonly WatchedSpend[]): Promise<void> {
    const ids = new Set(all.map(({ id }) => id));
    for (const id of this.#told.keys()) {
      if (ids.has(id)) continue;
      this.#told.delete(id);
      this.#failures.delete(id);
    }
    const fresh = [...ids].filter((id) => !this.#told.has(id));
    if (fresh.length === 0) return;
    const told = await this.#parts.store.told(fresh);
    for (const id of fresh) this.#told.set(id, new Map());
    for (const { budgetId, period, threshold } of told) this.#note(budgetId, period, threshold);
  }

  /** Removed entries are not noted; they are read again if they return. */
  #note(id: string, periodName: string, threshold: string): void {
    const told = this.#told.get(id);
    told?.set(periodName, (told.get(periodName) ?? new Set<string>()).add(threshold));
  }

  #beginToTell(watch: Watch, spent: bigint): void {
    const { id, isMailed } = watch.watched;
    const passed = passedOf(watch, spent, this.#parts.clock.now());
    // Alerts of the previous and the current period are delivered one after the other.
    if (passed.length === 0 || this.#telling.has(id)) return;
    if (isMailed && [...this.#telling.values()].filter((each) => each.isMailed).length >= MOST_MAILS) return;
    const done = this.#tell(watch, passed, spent).finally(() => this.#telling.delete(id));
    this.#telling.set(id, { isMailed, done });
  }

  async #tell({ watched: { id }, periodName: period }: Watch, passed: readonly Passed[], spent: bigint): Promise<void> {
    const { store, clock, onThreshold, onError } = this.#parts;
    const now = clock.now();
    for (const { threshold, amount } of passed) {
      try {
        await onThreshold({ id, threshold, amount, spent, period });
        const told = thresholdId(threshold);
        await store.tell({ budgetId: id, period, threshold: told }, now, now - KEPT_MS);
        this.#note(id, period, told);
        this.#failures.delete(id);
      } catch (error) {
        const times = (this.#failures.get(id)?.times ?? 0) + 1;
        const pause = RETRY_PAUSES_MS[times - 1] ?? RETRY_PAUSES_MS.at(-1)!;
        this.#failures.set(id, { times, retryAt: clock.now() + pause });
        onError(error);
        return;
      }
    }
  }
}

/** The passed thresholds whose alerts are pending. */
function passedOf({ watched, period, untold, isUsedUp }: Watch, spent: bigint, now: number): Passed[] {
  const whole = amountAt(watched, Math.min(now, period.endsAt - 1));
  return untold.flatMap((threshold) => {
    const amount = thresholdAmount(threshold, whole);
    const isNearly = isUsedUp && amount <= whole && spent * 100n >= amount * NEARLY_PERCENT;
    return spent === 0n || (spent < amount && !isNearly) ? [] : [{ threshold, amount }];
  });
}

/** The current period, and for a while the previous one, if it was watched. */
function periodsOf({ per, since }: WatchedSpend, now: number): Period[] {
  const present = periodAt(per, now);
  if (now - present.startsAt >= LATE_MS || since >= present.startsAt) return [present];
  return [present, periodAt(per, present.startsAt - 1)];
}

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

/** How long nothing is looked at between two rounds, at least, and in times of what a round took: ten thousand budgets take 0.2 s. */
const PAUSE_MS = 1_000;
const PAUSE_ROUNDS = 50;
/** At most: a machine that is busy makes a round long, and a notice must not wait for it. */
const MAX_PAUSE_MS = 5_000;
/** For so long after its end a period is looked at still: calls of it may end then, and the gateway may have been down. */
const LATE_MS = DAY_MS;
/** How long it is kept what was told: longer than any period lasts. */
const KEPT_MS = 100 * DAY_MS;
/** A hard budget refuses calls before all of it is spent. It counts as used up once this percentage is spent and a call was refused for it. */
const NEARLY_PERCENT = 90n;
/** How long to wait after each failure to tell, in ms; the last holds on. */
const RETRY_PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];

/** How many are told of by mail at once; the others wait for another round. */
const MOST_MAILS = 10;

export type AlertParts = {
  /** All that is watched, whoever's it is; asked at each round. */
  watched(): Promise<readonly WatchedSpend[]>;
  store: ThresholdStore;
  clock: Clock;
  /**
   * Told of each threshold that is passed, once in each period; if it rejects, or the process ends
   * before it resolves, it is told again: at least once. `id`, `period` and `threshold` name the event.
   */
  onThreshold(passed: PassedThreshold): Promise<void>;
  onError(error: unknown): void;
};

/** Something in one of its periods, with the thresholds that are not told yet. */
type Watch = { watched: WatchedSpend; period: Period; periodName: string; untold: Threshold[]; isUsedUp: boolean };

/** A threshold that is passed, and what it comes to. */
type Passed = { threshold: Threshold; amount: NanoDollars };

/** Of what could not be told: how often, and when it is tried again (Unix ms). */
type Failure = { times: number; retryAt: number };

/**
 * Tells of spending that has passed a threshold. It looks at the sums that settlements add to, so it holds for all processes
 * together and costs calls nothing; one process does it for each data folder.
 */
export class BudgetAlerts {
  readonly #parts: AlertParts;
  /** The thresholds that were told, by id and by period: of those that are looked at still. */
  readonly #told = new Map<string, Map<string, Set<string>>>();
  readonly #failures = new Map<string, Failure>();
  /** What is being told, by id: no round waits for it, since a mail server may take long. */
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

  /** Resolves once nothing is told any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    await this.idle();
  }

  /** Resolves once all that is being told was told, or has failed. */
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

  /** Looks at all that is watched once, and begins to tell what is to be told. Never rejects; what failed is tried again in a later round. */
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
    await this.#readTold(all);
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

  /** What was told of what is new here, by an earlier process; what is gone is forgotten. */
  async #readTold(all: readonly WatchedSpend[]): Promise<void> {
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

  /** What is watched no more is not noted: it is read again where that comes back. */
  #note(id: string, periodName: string, threshold: string): void {
    const told = this.#told.get(id);
    told?.set(periodName, (told.get(periodName) ?? new Set<string>()).add(threshold));
  }

  #beginToTell(watch: Watch, spent: bigint): void {
    const { id, isMailed } = watch.watched;
    const passed = passedOf(watch, spent, this.#parts.clock.now());
    // Of a period that has just ended and the present one, one is told after the other.
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

/** Which thresholds that are not told yet are passed. */
function passedOf({ watched, period, untold, isUsedUp }: Watch, spent: bigint, now: number): Passed[] {
  const whole = amountAt(watched, Math.min(now, period.endsAt - 1));
  return untold.flatMap((threshold) => {
    const amount = thresholdAmount(threshold, whole);
    const isNearly = isUsedUp && amount <= whole && spent * 100n >= amount * NEARLY_PERCENT;
    return spent === 0n || (spent < amount && !isNearly) ? [] : [{ threshold, amount }];
  });
}

/** The present period, and the one before for a while, where that was watched. */
function periodsOf({ per, since }: WatchedSpend, now: number): Period[] {
  const present = periodAt(per, now);
  if (now - present.startsAt >= LATE_MS || since >= present.startsAt) return [present];
  return [present, periodAt(per, present.startsAt - 1)];
}

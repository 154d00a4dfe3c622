import {
  amountAt,
  type PassedThreshold,
  type Threshold,
  type ThresholdStore,
  thresholdAmount,
  thresholdId,
  type WatchedSpend,
} from '../core/budget.ts';
import type { Clock } from '../core/ports.ts';
import { type Period, periodAt, periodId } from '../core/spend-period.ts';

/** How long nothing is looked at between two rounds, at least, and in times of what a round took: ten thousand budgets take 0.2 s. */
const PAUSE_MS = 1_000;
const PAUSE_ROUNDS = 50;
/** At most: a machine that is busy makes a round long, and a notice must not wait for it. */
const MAX_PAUSE_MS = 5_000;
/** For so long after its end a period is looked at still: calls of it may end then, and the gateway may have been down. */
const LATE_MS = 86_400_000;
/** How long it is kept what was told: longer than any period lasts. */
const KEPT_MS = 100 * 86_400_000;
/** A hard budget refuses calls before all of it is spent. It counts as used up once this percentage is spent and a call was refused for it. */
const NEARLY_PERCENT = 90n;
/** How long to wait after each failure to tell, in ms; the last holds on. */
const RETRY_PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];

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
    await this.round();
    this.#lookIn(Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_ROUNDS * (monotonic() - beganAt))));
  }

  /** Looks at all that is watched once. Never rejects; what failed is tried again in a later round. */
  async round(): Promise<void> {
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
      for (const [index, each] of watches.entries()) await this.#tell(each, spent[index]!);
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
    if ((this.#failures.get(watched.id)?.retryAt ?? now) > now) return [];
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

  #note(id: string, periodName: string, threshold: string): void {
    const told = this.#told.get(id)!;
    told.set(periodName, (told.get(periodName) ?? new Set<string>()).add(threshold));
  }

  async #tell({ watched, period, periodName, untold, isUsedUp }: Watch, spent: bigint): Promise<void> {
    const { store, clock, onThreshold, onError } = this.#parts;
    const { id } = watched;
    const now = clock.now();
    const whole = amountAt(watched, Math.min(now, period.endsAt - 1));
    for (const threshold of untold) {
      const amount = thresholdAmount(threshold, whole);
      const isNearly = isUsedUp && amount <= whole && spent * 100n >= amount * NEARLY_PERCENT;
      if (spent === 0n || (spent < amount && !isNearly)) continue;
      try {
        await onThreshold({ id, threshold, amount, spent, period: periodName });
        const told = thresholdId(threshold);
        await store.tell({ budgetId: id, period: periodName, threshold: told }, now, now - KEPT_MS);
        this.#note(id, periodName, told);
        this.#failures.delete(id);
      } catch (error) {
        const times = (this.#failures.get(id)?.times ?? 0) + 1;
        const pause = RETRY_PAUSES_MS[times - 1] ?? RETRY_PAUSES_MS.at(-1)!;
        this.#failures.set(id, { times, retryAt: now + pause });
        onError(error);
        return;
      }
    }
  }
}

/** The present period, and the one before for a while, where that was watched. */
function periodsOf({ per, since }: WatchedSpend, now: number): Period[] {
  const present = periodAt(per, now);
  if (now - present.startsAt >= LATE_MS || since >= present.startsAt) return [present];
  return [present, periodAt(per, present.startsAt - 1)];
}

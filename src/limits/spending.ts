import type { NanoDollars } from '../core/money.ts';
import type { SpendReader } from '../core/ports.ts';
import type { SpendLimit } from '../core/records.ts';
import { includesTime, periodAt } from '../core/spend-period.ts';

/** Spending in one period of a budget, and the highest cost of open calls. */
export type SpendPeriod = {
  of: Spending;
  per: SpendLimit['per'];
  /** Unix ms; the start belongs to the period, the end does not. */
  startsAt: number;
  endsAt: number;
  /** The counted amount of settled calls. */
  spent: NanoDollars;
  /** The highest cost of open calls. */
  held: NanoDollars;
  /** The period that replaced this one when the budget's kind of period changed; the holds of open calls moved there. */
  next: SpendPeriod | null;
};

/**
 * The spending under one id, in its present period: read from the store once, and counted from then on, by whatever budget
 * of this id. A call that is settled is in the store a moment later, so it is counted here exactly where a read cannot
 * have seen it.
 */
export class Spending {
  readonly id: string;
  period: SpendPeriod | null = null;
  /** Calls with a hold on it. */
  open = 0;
  #loading: Promise<void> | null = null;
  /** The period that is being read. */
  #reading: Pick<SpendPeriod, 'startsAt' | 'endsAt'> | null = null;
  /** Settlements of the period that is being read. */
  #unread = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** True if it can be forgotten: what it knows can be read again. */
  get isIdle(): boolean {
    return this.open === 0 && this.#loading === null;
  }

  /** The period, if it is known and holds at a time (Unix ms). */
  knownAt(per: SpendLimit['per'], now: number): SpendPeriod | null {
    const { period } = this;
    return period !== null && period.per === per && includesTime(period, now) ? period : null;
  }

  /** Reads the period that holds now. Concurrent calls share one read. Rejects as the store does. */
  load(per: SpendLimit['per'], now: number, store: SpendReader): Promise<void> {
    this.#loading ??= this.#load(per, now, store).finally(() => {
      this.#loading = null;
      this.#reading = null;
    });
    return this.#loading;
  }

  async #load(per: SpendLimit['per'], now: number, store: SpendReader): Promise<void> {
    const { sinceDay, throughDay, startsAt, endsAt } = periodAt(per, now);
    this.#reading = { startsAt, endsAt };
    for (;;) {
      const before = this.#unread;
      const spent = await store.spent(this.id, sinceDay, throughDay);
      // It is unknown if the sum includes calls that were settled in between.
      if (before !== this.#unread) continue;
      const last = this.period;
      const isOtherKind = last !== null && last.per !== per;
      const next: SpendPeriod = { of: this, per, startsAt, endsAt, spent, held: 0n, next: null };
      if (isOtherKind) next.held = last.held;
      if (isOtherKind) last.next = next;
      this.period = next;
      return;
    }
  }

  /** Counts a call that began at a time (Unix ms). `from`: the period that it was held in; `null`: none. */
  settle(at: number, counted: NanoDollars, from: SpendPeriod | null, held: NanoDollars): void {
    const { period } = this;
    if (from !== null) release(from, held);
    if (period !== null && includesTime(period, at)) period.spent += counted;
    // A period that is being read in the place of this one does not see what is counted here; calls of another are not in it.
    if (this.#reading !== null && includesTime(this.#reading, at)) this.#unread += 1;
  }
}

function release(from: SpendPeriod, held: NanoDollars): void {
  let period = from;
  while (period.next !== null) period = period.next;
  period.held -= held;
}

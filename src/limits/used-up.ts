import type { ThresholdStore, UsedUp } from '../core/budget.ts';
import type { Clock } from '../core/ports.ts';
import { DAY_MS } from '../core/utc-day.ts';

/** The shortest interval between two notes of a budget in a period. */
const AGAIN_MS = 60_000;
/** How long notes are kept: longer than any period. */
const KEPT_MS = 100 * DAY_MS;
/** The most remembered notes. */
const MAX_REMEMBERED = 10_000;

export type UsedUpParts = { store: Pick<ThresholdStore, 'noteUsedUp'>; clock: Clock; onError(error: unknown): void };

/** Records the budgets that refuse calls, for alerts. Calls do not wait for it. */
export class UsedUpNotes {
  readonly #parts: UsedUpParts;
  readonly #noted = new Map<string, { period: string; at: number }>();

  constructor(parts: UsedUpParts) {
    this.#parts = parts;
  }

  note(usedUp: UsedUp): void {
    const { store, clock, onError } = this.#parts;
    const { id, period } = usedUp;
    const now = clock.now();
    const last = this.#noted.get(id);
    if (last?.period === period && Math.abs(now - last.at) < AGAIN_MS) return;
    const [oldest] = this.#noted.keys();
    if (last === undefined && oldest !== undefined && this.#noted.size >= MAX_REMEMBERED) this.#noted.delete(oldest);
    this.#noted.set(id, { period, at: now });
    store.noteUsedUp(usedUp, now, now - KEPT_MS).catch((error: unknown) => {
      this.#noted.delete(id);
      onError(error);
    });
  }
}

import type { ThresholdStore, UsedUp } from '../core/budget.ts';
import type { Clock } from '../core/ports.ts';
import { DAY_MS } from '../core/utc-day.ts';

/** How long a budget is not noted again in the same period, once it was. */
const AGAIN_MS = 60_000;
/** How long it is kept: longer than any period lasts. */
const KEPT_MS = 100 * DAY_MS;
/** How many are remembered. */
const MAX_REMEMBERED = 10_000;

export type UsedUpParts = { store: Pick<ThresholdStore, 'noteUsedUp'>; clock: Clock; onError(error: unknown): void };

/** Notes which budgets calls are refused for, so that whoever tells of spending learns of it. A call waits for nothing. */
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

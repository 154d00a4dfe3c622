import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { utcDayNumber } from '../../core/utc-day.ts';

/** Longer waits are counted as so many ms. */
const MOST_MS = 9_900_000;

/** A wait by the two highest digits of its ms, so that a day has few of them: 1,234 ms are counted at 1,200. */
export function countedMs(ms: number): number {
  let step = 1;
  while (ms >= step * 100) step *= 10;
  return Math.min(MOST_MS, Math.floor(ms / step) * step);
}

/** Counts, by UTC day, how long callers waited for the first token of their streams. `add` and `finish` belong inside a transaction. */
export class FirstTokens {
  readonly #add: StatementSync;
  /** Calls by organization, and by day and wait in one number; of the present transaction, a new map for each. */
  #counts = new Map<string, Map<number, number>>();

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      `insert into first_tokens (organization_id, day, ms, calls) values (?, ?, ?, ?)
       on conflict do update set calls = calls + excluded.calls`,
    );
  }

  add(organizationId: string, createdAt: number, ms: number): void {
    let counts = this.#counts.get(organizationId);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(organizationId, counts);
    }
    const place = utcDayNumber(createdAt) * (MOST_MS + 1) + countedMs(ms);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }

  finish(): void {
    if (this.#counts.size === 0) return;
    for (const [organizationId, counts] of this.#counts) {
      for (const [place, calls] of counts) {
        this.#add.run(organizationId, Math.floor(place / (MOST_MS + 1)), place % (MOST_MS + 1), calls);
      }
    }
    this.#counts = new Map();
  }

  rolledBack(): void {
    this.#counts = new Map();
  }
}

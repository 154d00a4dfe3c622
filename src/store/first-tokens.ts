import { utcDayNumber } from '../core/utc-day.ts';

/** Longer waits are counted as so many ms. */
const MOST_MS = 9_900_000;

/** A wait by the two highest digits of its ms, so that a day has few of them: 1,234 ms are counted at 1,200. */
export function countedMs(ms: number): number {
  let step = 1;
  while (ms >= step * 100) step *= 10;
  return Math.min(MOST_MS, Math.floor(ms / step) * step);
}

/** How many callers waited how long for the first token of their streams, by organization and UTC day, of one transaction. */
export class FirstTokenCounts {
  /** Calls by organization, and by day and wait in one number. */
  readonly #counts = new Map<string, Map<number, number>>();

  add(organizationId: string, createdAt: number, ms: number): void {
    let counts = this.#counts.get(organizationId);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(organizationId, counts);
    }
    const place = utcDayNumber(createdAt) * (MOST_MS + 1) + countedMs(ms);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }

  *all(): Generator<[organizationId: string, day: number, ms: number, calls: number], void> {
    for (const [organizationId, counts] of this.#counts) {
      for (const [place, calls] of counts)
        yield [organizationId, Math.floor(place / (MOST_MS + 1)), place % (MOST_MS + 1), calls];
    }
  }
}

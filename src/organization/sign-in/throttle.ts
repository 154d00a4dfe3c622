import { createHmac, randomBytes } from 'node:crypto';

/** The number of tables for each counter, and of places in each. */
const TABLES = 4;
const PLACES = 65_536;
const PLACE_BYTES = 4;
/** The slices of a window, each with its own tables: 5 MB in total, however many names are counted. */
const SLICES = 4;

/** An attempt: the name to count by, and the most in any window of this length. */
export type SignInAttempt = { by: string; most: number; windowMs: number };

/** Counts attempts for all processes together. */
export type SignInAttempts = {
  /**
   * Counts an attempt by one name after the other, before any check, until one has reached its limit. Resolves with the
   * time to wait in ms; `null` if it is allowed.
   */
  take(attempt: readonly SignInAttempt[]): Promise<number | null>;
  /** Resets the count of an authenticated person. */
  forget(by: string): Promise<void>;
};

/** For a single process. */
export function attemptsHere(throttle: Throttle): SignInAttempts {
  return {
    take: async (attempt) => throttle.take(attempt),
    forget: async (by) => throttle.forget(by),
  };
}

/**
 * The counters of `SignInAttempts` in the memory of one process. Nothing is ever displaced: each name has a place in
 * each of several tables, by a hash under a random key, and its count is the minimum of these. Shared places can only
 * make a count too high, and nobody outside knows which names share one.
 *
 * All counts of a time slice are deleted together, so others cannot shorten them: an attempt counts for at least a
 * window, and at most one slice longer.
 */
export class Throttle {
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  /** The current slice first. */
  readonly #slices = Array.from({ length: SLICES + 1 }, () => new Uint32Array(TABLES * PLACES));
  /** The start of the current slice. */
  #since: number;

  /** @param now - monotonic ms */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** See `SignInAttempts`. */
  take(attempt: readonly SignInAttempt[]): number | null {
    for (const each of attempt) {
      const waitMs = this.#count(each);
      if (waitMs !== null) return waitMs;
    }
    return null;
  }

  forget(by: string): void {
    const places = this.#placesOf(by);
    for (const slice of this.#slices) {
      const own = leastAt(slice, places);
      // Subtracted instead of set to 0, because others may share the place.
      for (const place of places) slice[place]! -= own;
    }
  }

  #count({ by, most, windowMs }: SignInAttempt): number | null {
    const sliceMs = windowMs / SLICES;
    this.#goOn(sliceMs);
    const places = this.#placesOf(by);
    const counts = this.#slices.map((slice) => leastAt(slice, places));
    let left = counts.reduce((sum, count) => sum + count, 0);
    if (left < most) {
      for (const place of places) this.#slices[0]![place]! += 1;
      return null;
    }
    let kept = counts.length;
    while (left >= most && kept > 0) {
      kept -= 1;
      left -= counts[kept]!;
    }
    return this.#since + (SLICES + 1 - kept) * sliceMs - this.#now();
  }

  /** Deletes the slices that have ended. */
  #goOn(sliceMs: number): void {
    const passed = Math.floor((this.#now() - this.#since) / sliceMs);
    this.#since += passed * sliceMs;
    for (let count = Math.min(passed, this.#slices.length); count > 0; count -= 1) {
      const oldest = this.#slices.pop()!;
      this.#slices.unshift(oldest.fill(0));
    }
  }

  #placesOf(by: string): readonly number[] {
    const hash = createHmac('sha256', this.#key).update(by).digest();
    return Array.from(
      { length: TABLES },
      (_, table) => table * PLACES + (hash.readUInt32LE(table * PLACE_BYTES) % PLACES),
    );
  }
}

function leastAt(slice: Uint32Array, places: readonly number[]): number {
  return Math.min(...places.map((place) => slice[place]!));
}

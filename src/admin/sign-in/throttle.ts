import { createHmac, randomBytes } from 'node:crypto';

/** Tables that each thing is counted in, and how many places each has. */
const TABLES = 4;
const PLACES = 65_536;
const PLACE_BYTES = 4;
/** A window is cut into so many slices, each with tables of its own: 5 MB with the present slice, however many things there are. */
const SLICES = 4;

/** An attempt: what it is counted by, and how many there may be in any window of time of this length. */
export type SignInAttempt = { by: string; most: number; windowMs: number };

/** Counts attempts, for all processes that serve together. */
export type SignInAttempts = {
  /**
   * Counts an attempt by one thing after the other, before anything is checked, up to the first of which there were as many as
   * may be. Resolves with how long to wait then, in ms; `null`: it may be made.
   */
  take(attempt: readonly SignInAttempt[]): Promise<number | null>;
  /** Whoever has proved who they are begins anew. */
  forget(by: string): Promise<void>;
};

/** Those of one process alone. */
export function attemptsHere(throttle: Throttle): SignInAttempts {
  return {
    take: async (attempt) => throttle.take(attempt),
    forget: async (by) => throttle.forget(by),
  };
}

/**
 * What `SignInAttempts` counts by, in the memory of one process. Nothing is ever pushed out: each thing has a place in each of
 * several tables, by a hash under a key of this process, and its count is the least that stands at them. Things that share a place
 * can only make a count too high, never too low, and which things do is known to nobody outside.
 *
 * All counts of a slice of time are forgotten together, so that nothing that others do has one forgotten earlier: an attempt
 * counts for a window at least, and a slice longer at most.
 */
export class Throttle {
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  /** The present slice first. */
  readonly #slices = Array.from({ length: SLICES + 1 }, () => new Uint32Array(TABLES * PLACES));
  /** When the present slice began. */
  #since: number;

  /** @param now - monotonic ms */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** As `SignInAttempts` has it. */
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
      // Taken off, and not set to 0: what others have counted at a place stays.
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

  /** Forgets the slices that are over. */
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

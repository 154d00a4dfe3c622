import { createHmac, randomBytes } from 'node:crypto';

/** Tables that each thing is counted in, and how many places each has: 3 MB, however many things there are. */
const TABLES = 4;
const PLACES = 65_536;
const PLACE_BYTES = 4;

/** An attempt: what it is counted by, and how many there may be in a window of time that begins with the first. */
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
 */
export class Throttle {
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  readonly #counts = new Uint32Array(TABLES * PLACES);
  /** When the window of a place began; its count holds only for as long. */
  readonly #since = new Float64Array(TABLES * PLACES);

  /** @param now - monotonic ms */
  constructor(now: () => number) {
    this.#now = now;
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
    const own = Math.min(...places.map((place) => this.#counts[place]!));
    // Taken off, and not set to 0: what others have counted at a place stays.
    for (const place of places) this.#counts[place]! -= own;
  }

  #count({ by, most, windowMs }: SignInAttempt): number | null {
    const now = this.#now();
    const places = this.#placesOf(by);
    for (const place of places) {
      if (this.#counts[place] === 0 || now - this.#since[place]! >= windowMs) {
        this.#counts[place] = 0;
        this.#since[place] = now;
      }
    }
    if (places.every((place) => this.#counts[place]! >= most))
      return Math.min(...places.map((place) => windowMs - (now - this.#since[place]!)));
    for (const place of places) this.#counts[place]! += 1;
    return null;
  }

  #placesOf(by: string): readonly number[] {
    const hash = createHmac('sha256', this.#key).update(by).digest();
    return Array.from(
      { length: TABLES },
      (_, table) => table * PLACES + (hash.readUInt32LE(table * PLACE_BYTES) % PLACES),
    );
  }
}

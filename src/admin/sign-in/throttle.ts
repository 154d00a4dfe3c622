/** Who tries is remembered of so many; of more, those whose window began first are forgotten. */
const MAX_REMEMBERED = 10_000;

type Tries = { count: number; since: number };

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

/** What `SignInAttempts` counts by, in the memory of one process. */
export class Throttle {
  readonly #now: () => number;
  /** Those whose window began first come first. */
  readonly #tries = new Map<string, Tries>();

  /** @param now - monotonic ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  get remembered(): number {
    return this.#tries.size;
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
    this.#tries.delete(by);
  }

  #count({ by, most, windowMs }: SignInAttempt): number | null {
    const now = this.#now();
    const known = this.#tries.get(by);
    if (known === undefined || now - known.since >= windowMs) {
      this.#tries.delete(by);
      this.#tries.set(by, { count: 1, since: now });
      if (this.#tries.size > MAX_REMEMBERED) this.#tries.delete(this.#tries.keys().next().value!);
      return null;
    }
    if (known.count >= most) return windowMs - (now - known.since);
    known.count += 1;
    return null;
  }
}

/** What attempts from a network address are counted by: of IPv6 the network of a customer, who has 2^64 addresses in it. */
export function networkOf(address: string | null): string {
  if (address === null || !address.includes(':')) return address ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

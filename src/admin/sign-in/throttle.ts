import { GatewayError } from '../../core/errors.ts';

/** Who tries is remembered of so many; of more, those whose window began first are forgotten. */
const MAX_REMEMBERED = 10_000;

type Tries = { count: number; since: number };

/** Counts attempts by a key, within a window of time that begins with the first. */
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

  /** Counts an attempt, before anything is checked. Throws `too_many_attempts` where there were as many as may be. */
  take(key: string, { most, windowMs }: { most: number; windowMs: number }): void {
    const now = this.#now();
    const known = this.#tries.get(key);
    if (known === undefined || now - known.since >= windowMs) {
      this.#tries.delete(key);
      this.#tries.set(key, { count: 1, since: now });
      if (this.#tries.size > MAX_REMEMBERED) this.#tries.delete(this.#tries.keys().next().value!);
      return;
    }
    if (known.count >= most) {
      throw new GatewayError('too_many_attempts', 'Too many sign-ins were tried. Wait, and try again.', {
        retryAfterMs: windowMs - (now - known.since),
      });
    }
    known.count += 1;
  }

  /** Whoever has proved who they are begins anew. */
  forget(key: string): void {
    this.#tries.delete(key);
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

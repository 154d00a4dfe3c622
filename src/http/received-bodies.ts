import { GatewayError } from '../core/errors.ts';

/**
 * Bytes of bodies that are being received, of all callers of a server together. Past the bound an API key that holds more
 * than its part of it (the bound, divided among the keys that are sending) is refused its newest bytes, but never its
 * only body. So a key that holds much cannot keep others from sending, and all together hold at most twice the bound, or
 * one body for each key.
 */
export class ReceivedBodies {
  readonly #most: () => number;
  readonly #ofKey = new Map<string, number>();
  #bytes = 0;

  /** @param most the bound, in bytes; asked each time, since a reload may change it */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A caller begins to send a body. */
  begin(keyId: string): ReceivedBody {
    return new ReceivedBody(this, keyId);
  }

  /** For `ReceivedBody` alone: `own` bytes of one body are held already. @returns true if more may come */
  take(keyId: string, own: number, more: number): boolean {
    const held = this.#ofKey.get(keyId) ?? 0;
    const most = this.#most();
    if (this.#bytes + more > most && held > own) {
      const keys = this.#ofKey.size + (held === 0 ? 1 : 0);
      if (held + more > most / keys) return false;
    }
    this.#ofKey.set(keyId, held + more);
    this.#bytes += more;
    return true;
  }

  /** For `ReceivedBody` alone. */
  giveBack(keyId: string, bytes: number): void {
    const rest = (this.#ofKey.get(keyId) ?? 0) - bytes;
    if (rest > 0) this.#ofKey.set(keyId, rest);
    else this.#ofKey.delete(keyId);
    this.#bytes -= bytes;
  }
}

/** The held bytes of one body. */
export class ReceivedBody {
  readonly #bodies: ReceivedBodies;
  readonly #keyId: string;
  #bytes = 0;

  constructor(bodies: ReceivedBodies, keyId: string) {
    this.#bodies = bodies;
    this.#keyId = keyId;
  }

  /** @returns true if these bytes may be held too */
  take(bytes: number): boolean {
    if (!this.#bodies.take(this.#keyId, this.#bytes, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** The body is no longer being received. A second call changes nothing. */
  end(): void {
    if (this.#bytes > 0) this.#bodies.giveBack(this.#keyId, this.#bytes);
    this.#bytes = 0;
  }
}

/** The error for a body beyond the memory limit of bodies. */
export function tooManyBodies(): GatewayError {
  const message =
    'The gateway has reached its limit of bytes being received, and this API key exceeds its share; send the call again.';
  return new GatewayError('overloaded', message, { retryAfterMs: 1000 });
}

import type { Clock, KeyStore } from '../core/ports.ts';

/** Resolution of the last use of a key, in ms. */
const EXACT_TO_MS = 60_000;
/** The most keys that are remembered. Forgotten keys are written again sooner. */
const MAX_REMEMBERED = 10_000;

export type KeyUsesParts = { store: Pick<KeyStore, 'noteUse'>; clock: Clock; onError(error: unknown): void };

/** Records, to the minute, uses of keys other than calls, which have records. Requests do not wait for it. */
export class KeyUses {
  readonly #parts: KeyUsesParts;
  /** The monotonic time (ms) of each key's last note; oldest first. */
  readonly #noted = new Map<string, number>();

  constructor(parts: KeyUsesParts) {
    this.#parts = parts;
  }

  note(keyId: string): void {
    const { store, clock, onError } = this.#parts;
    const now = clock.monotonic();
    const last = this.#noted.get(keyId);
    if (last !== undefined && now - last < EXACT_TO_MS) return;
    this.#noted.delete(keyId);
    const [oldest] = this.#noted.keys();
    if (oldest !== undefined && this.#noted.size >= MAX_REMEMBERED) this.#noted.delete(oldest);
    this.#noted.set(keyId, now);
    store.noteUse(keyId, clock.now()).catch((error: unknown) => {
      this.#noted.delete(keyId);
      onError(error);
    });
  }
}

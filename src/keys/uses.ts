import type { Clock, KeyStore } from '../core/ports.ts';

/** How exactly it is told when a key was last used, in ms. */
const EXACT_TO_MS = 60_000;
/** How many keys are remembered; the oldest are forgotten, and noted again sooner. */
const MAX_REMEMBERED = 10_000;

export type KeyUsesParts = { store: Pick<KeyStore, 'noteUse'>; clock: Clock; onError(error: unknown): void };

/** Notes, to the minute, when keys were used for something else than calls, which are recorded. A request waits for nothing. */
export class KeyUses {
  readonly #parts: KeyUsesParts;
  /** When each key was noted last, in monotonic ms; those that were noted first come first. */
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

import { Window } from './measures.ts';

/** API keys whose failures are told apart, for each target. Beyond it the one that is known for the longest time is forgotten. */
const MAX_KEYS = 32;

/**
 * Whose calls failed at a target: what one API key's calls meet may be that key's own doing, and is no reason to keep
 * others away. Times are monotonic ms, handed in.
 */
export class Witnesses {
  readonly #failures = new Map<string, Window>();
  #span: number;
  #rowKey: string | null = null;
  #rowIsShared = false;

  constructor(window: number) {
    this.#span = window;
  }

  /** @param anyone would have met it: no call had reached the vendor */
  note(keyId: string, now: number, anyone: boolean): void {
    this.#rowIsShared ||= anyone || (this.#rowKey !== null && this.#rowKey !== keyId);
    this.#rowKey = keyId;
    let failures = this.#failures.get(keyId);
    if (failures === undefined) {
      if (this.#failures.size >= MAX_KEYS) this.#failures.delete(this.#failures.keys().next().value!);
      failures = new Window(this.#span);
      this.#failures.set(keyId, failures);
    }
    failures.note(true, now);
  }

  /** The failures in a row came from several keys, or from calls without one. */
  get rowIsShared(): boolean {
    return this.#rowIsShared;
  }

  /** A call was answered: a row begins anew. */
  endRow(): void {
    this.#rowKey = null;
    this.#rowIsShared = false;
  }

  /** The key with the most failures within the window, and how many. */
  heaviest(now: number): { keyId: string; failures: number } | null {
    let most: { keyId: string; failures: number } | null = null;
    for (const [keyId, window] of this.#failures) {
      window.slide(now);
      if (window.failures > (most?.failures ?? 0)) most = { keyId, failures: window.failures };
    }
    return most;
  }

  /** Forgets all, for a window of another length or a target that is well again. */
  reset(window: number): void {
    this.#span = window;
    this.#failures.clear();
    this.endRow();
  }
}

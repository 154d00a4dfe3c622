import { Window } from './latencies.ts';

/** The most API keys whose failures are counted separately per target. Beyond it, the oldest key is forgotten. */
const MAX_KEYS = 32;

/**
 * Whose calls failed at a target: failures of one API key's calls may be caused by that key, and must not block other
 * keys. Times are monotonic ms, passed in.
 */
export class FailingKeys {
  readonly #failures = new Map<string, Window>();
  #span: number;
  #rowKey: string | null = null;
  #rowIsShared = false;

  constructor(window: number) {
    this.#span = window;
  }

  /** @param anyone true if any key's call would have failed, because the vendor was not reached */
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

  /** True if the failures in a row came from several keys, or do not depend on the key. */
  get rowIsShared(): boolean {
    return this.#rowIsShared;
  }

  /** Ends the row of failures, because a call was answered. */
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

  /** Forgets everything, because the window's length changed or the target works again. */
  reset(window: number): void {
    this.#span = window;
    this.#failures.clear();
    this.endRow();
  }
}

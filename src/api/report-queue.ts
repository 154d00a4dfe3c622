import { GatewayError } from '../core/errors.ts';

/** The `retry-after` of a key with too many open reports, in ms. */
const RETRY_AFTER_MS = 1_000;

type WaitingReport = { start(): void };

/**
 * Answers reports one at a time, because one thread works on them; waiting keys take turns. A key with too many open
 * reports is refused (`rate_limit_exceeded`).
 */
export class ReportQueue {
  readonly #mostOfKey: () => number;
  /** Waiting reports by key; the key whose turn is next is first. */
  readonly #waiting = new Map<string, WaitingReport[]>();
  readonly #open = new Map<string, number>();
  #isBusy = false;

  /** @param mostOfKey - read for each report, because a reload may change it */
  constructor(mostOfKey: () => number) {
    this.#mostOfKey = mostOfKey;
  }

  /** Does the work when it is the key's turn. Rejects with a 429 if the key has too many open reports. */
  async run<Result>(keyId: string, work: () => Promise<Result>): Promise<Result> {
    const open = this.#open.get(keyId) ?? 0;
    const most = this.#mostOfKey();
    if (open >= most) {
      throw new GatewayError(
        'rate_limit_exceeded',
        `This API key already has ${most} open reports, the limit: wait until one of them is answered.`,
        { retryAfterMs: RETRY_AFTER_MS },
      );
    }
    this.#open.set(keyId, open + 1);
    try {
      if (this.#isBusy) await this.#turnOf(keyId);
      this.#isBusy = true;
      return await work();
    } finally {
      this.#close(keyId);
    }
  }

  #turnOf(keyId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(keyId) ?? [];
    waiting.push({ start: resolve });
    this.#waiting.set(keyId, waiting);
    return promise;
  }

  #close(keyId: string): void {
    const left = this.#open.get(keyId)! - 1;
    if (left === 0) this.#open.delete(keyId);
    else this.#open.set(keyId, left);
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isBusy = false;
      return;
    }
    const [key, [first, ...others]] = next;
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
    first!.start();
  }
}

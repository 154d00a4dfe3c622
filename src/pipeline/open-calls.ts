import { type GatewayError, stoppingError } from '../core/errors.ts';
import type { CallerAnswer } from '../core/ports.ts';

/** What waits for a vendor, and can be ended from outside. */
export type Interruptible = { interrupt(error: GatewayError): void };

/** The calls that have begun and are not settled, and what becomes of them when the gateway stops. */
export class OpenCalls {
  readonly #waiting = new Set<Interruptible>();
  #count = 0;
  #unread = 0;
  /** A stop has waited as long as it may: no vendor is waited for any more. */
  #overdue = false;
  #onIdle: (() => void) | null = null;

  get count(): number {
    return this.#count;
  }

  /** Those, and the settled ones whose answers their callers have not taken yet. */
  get held(): number {
    return this.#count + this.#unread;
  }

  begin(): void {
    this.#count += 1;
  }

  /** @param answer of a call that had one */
  end(answer: Pick<CallerAnswer, 'unread' | 'onTaken'> | null): void {
    this.#count -= 1;
    if (answer?.unread === true) {
      this.#unread += 1;
      answer.onTaken(() => {
        this.#unread -= 1;
      });
    }
    if (this.#count === 0) this.#onIdle?.();
  }

  /** A vendor is waited for, where a stop can find it, until `stopWaiting`. */
  wait(waiting: Interruptible): void {
    this.#waiting.add(waiting);
    if (this.#overdue) waiting.interrupt(stoppingError());
  }

  stopWaiting(waiting: Interruptible): void {
    this.#waiting.delete(waiting);
  }

  /** Waits until no call is open, at most `ms`; then ends what is still waiting with an error, and waits for the records. */
  async drain(ms: number): Promise<void> {
    if (this.#count === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const timer = setTimeout(() => {
      this.#overdue = true;
      for (const waiting of this.#waiting) waiting.interrupt(stoppingError());
    }, ms);
    await idle;
    clearTimeout(timer);
  }
}

import { GatewayError, stoppingError } from '../core/errors.ts';
import type { Admission, CallerAnswer } from '../core/ports.ts';

/** Something that waits for a vendor, and can be ended from outside. */
export type Interruptible = {
  interrupt(error: GatewayError): void;
  /** Its place among those that wait, changed only by `OpenCalls`; -1 while it is none of them. */
  waitsAt: number;
  /** Who it waits for, changed only by `OpenCalls`. */
  admission: Admission | null;
};

/** How many callers are looked up at once, so that new callers do not wait for all of them. */
const LOOKED_UP_AT_ONCE = 32;

/**
 * Tracks the calls that have begun and are not settled, and ends them when the gateway stops or their callers lose
 * access.
 *
 * /!\ Hot path: no `Set`, because it keeps memory for removed entries
 * (docs/decisions/2026-11-23-calls-pass-through-no-set.md).
 */
export class OpenCalls {
  readonly #waiting: Interruptible[] = [];
  #count = 0;
  #unread = 0;
  /** Whether the drain time is over, so that no call may wait for a vendor any more. */
  #overdue = false;
  #isLookingAgain = false;
  #onIdle: (() => void) | null = null;

  get count(): number {
    return this.#count;
  }

  /** Open calls, plus settled ones whose callers have not received their whole answer yet. */
  get held(): number {
    return this.#count + this.#unread;
  }

  begin(): void {
    this.#count += 1;
  }

  /** @param answer the call's answer; `null` if it has none */
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

  /** Registers something that waits for a vendor, until `stopWaiting`, so that it can be ended. */
  wait(waiting: Interruptible, admission: Admission): void {
    if (waiting.waitsAt >= 0) return;
    waiting.waitsAt = this.#waiting.length;
    waiting.admission = admission;
    this.#waiting.push(waiting);
    if (this.#overdue) waiting.interrupt(stoppingError());
  }

  stopWaiting(waiting: Interruptible): void {
    const { waitsAt } = waiting;
    if (waitsAt < 0) return;
    waiting.waitsAt = -1;
    const last = this.#waiting.pop()!;
    if (last === waiting) return;
    this.#waiting[waitsAt] = last;
    last.waitsAt = waitsAt;
  }

  /**
   * Ends the waiting calls whose callers have lost access, with the error that they would get now. A call continues if
   * storage cannot answer. Only one check runs at a time.
   */
  async lookAgain(): Promise<void> {
    if (this.#isLookingAgain) return;
    this.#isLookingAgain = true;
    let asked: Promise<void>[] = [];
    for (const waiting of [...this.#waiting]) {
      const refuse = (error: unknown) => endRefused(waiting, error);
      try {
        const looked = waiting.admission?.again();
        if (looked !== undefined) asked.push(looked.then(() => undefined, refuse));
      } catch (error) {
        refuse(error);
      }
      if (asked.length < LOOKED_UP_AT_ONCE) continue;
      await Promise.all(asked);
      asked = [];
    }
    await Promise.all(asked);
    this.#isLookingAgain = false;
  }

  /** Waits until no call is open, at most `ms`; then ends the waiting calls with an error, and waits for their records. */
  async drain(ms: number): Promise<void> {
    if (this.#count === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const timer = setTimeout(() => {
      this.#overdue = true;
      for (const waiting of [...this.#waiting]) waiting.interrupt(stoppingError());
    }, ms);
    await idle;
    clearTimeout(timer);
  }
}

function endRefused(waiting: Interruptible, error: unknown): void {
  const isRefusal = error instanceof GatewayError && error.status < 500;
  if (isRefusal && waiting.waitsAt >= 0) waiting.interrupt(error);
}

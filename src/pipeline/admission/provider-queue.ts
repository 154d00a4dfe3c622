import { GatewayError } from '../../core/errors.ts';
import type { Concurrency, Provider } from '../../core/provider.ts';
import { Deadline, type TimerWheel } from '../../deadlines/timer-wheel.ts';

/** The `retry-after` of a refused call, in ms. */
const RETRY_MS = 1000;

/** The right to have a call open at a provider. Releasing it twice changes nothing. */
export type ProviderSlot = { release(): void };

/** A call that waits for a slot: its key, the longest wait (ms), and how to end the wait from outside. */
export type SlotRequest = {
  keyId: string;
  atMost: number;
  /** Receives a function that ends the wait. The promise then rejects with the given error, or with `provider_busy`. */
  onWait(leave: (error?: GatewayError) => void): void;
};

/** The slot of providers without a cap. */
const UNCAPPED: ProviderSlot = { release() {} };

/**
 * Limits how many calls each provider has at once. Further calls wait in a short queue in which the keys take turns, so
 * that a key with many calls does not delay other keys.
 */
export class ProviderQueues {
  readonly #wheel: TimerWheel;
  readonly #queues = new Map<string, ProviderQueue>();

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel;
  }

  /** A slot if one is free now, else `null`. */
  take({ id, concurrency }: Provider): ProviderSlot | null {
    return concurrency === null ? UNCAPPED : this.#queue(id).take(concurrency);
  }

  /** A slot. Rejects with `provider_busy` if the queue is full, or after `concurrency.wait` or `atMost` ms. */
  wait({ id, concurrency }: Provider, request: SlotRequest): Promise<ProviderSlot> {
    return concurrency === null ? Promise.resolve(UNCAPPED) : this.#queue(id).wait(concurrency, request);
  }

  /** Whether the queue has room for another call. */
  hasRoom({ id, concurrency }: Provider): boolean {
    return concurrency === null || this.#queue(id).waiting < concurrency.queue;
  }

  #queue(providerId: string): ProviderQueue {
    let queue = this.#queues.get(providerId);
    if (queue === undefined) {
      const forget = () => this.#queues.delete(providerId);
      queue = new ProviderQueue(providerId, this.#wheel, forget);
      this.#queues.set(providerId, queue);
    }
    return queue;
  }
}

type WaitingCall = { resolve(slot: ProviderSlot): void; deadline: Deadline; over: boolean };

class ProviderQueue {
  readonly #providerId: string;
  readonly #wheel: TimerWheel;
  readonly #forget: () => void;
  #inside = 0;
  #waiting = 0;
  /** Waiting calls by key. The keys are in the order of their turns. */
  readonly #queues = new Map<string, WaitingCall[]>();
  #max = 0;

  constructor(providerId: string, wheel: TimerWheel, forget: () => void) {
    this.#providerId = providerId;
    this.#wheel = wheel;
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#waiting;
  }

  take({ max }: Concurrency): ProviderSlot | null {
    this.#max = max;
    // A reload may have raised it.
    this.#admit();
    // New calls do not overtake waiting ones.
    return this.#inside < max && this.#waiting === 0 ? this.#slot() : null;
  }

  wait(concurrency: Concurrency, { keyId, atMost, onWait }: SlotRequest): Promise<ProviderSlot> {
    const free = this.take(concurrency);
    if (free !== null) return Promise.resolve(free);
    if (this.#waiting >= concurrency.queue) return Promise.reject(this.#busy('as many as may wait for it are waiting'));
    return new Promise((resolve, reject) => {
      const giveUp = (error: GatewayError) => {
        if (waiting.over) return;
        this.#drop(keyId, waiting);
        reject(error);
      };
      const deadline = new Deadline(this.#wheel, () => giveUp(this.#busy('none of them ended while this call waited')));
      const waiting: WaitingCall = { resolve, deadline, over: false };
      const queue = this.#queues.get(keyId);
      if (queue === undefined) this.#queues.set(keyId, [waiting]);
      else queue.push(waiting);
      this.#waiting += 1;
      deadline.set(Math.min(concurrency.wait, atMost));
      onWait((error) => giveUp(error ?? this.#busy('the caller left')));
    });
  }

  #slot(): ProviderSlot {
    this.#inside += 1;
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#inside -= 1;
        this.#admit();
        if (this.#inside === 0 && this.#waiting === 0) this.#forget();
      },
    };
  }

  #admit(): void {
    while (this.#inside < this.#max && this.#waiting > 0) {
      const [keyId, queue] = this.#queues.entries().next().value!;
      const next = queue[0]!;
      this.#drop(keyId, next);
      // Moves the key behind the others.
      if (queue.length > 0) {
        this.#queues.delete(keyId);
        this.#queues.set(keyId, queue);
      }
      next.resolve(this.#slot());
    }
  }

  #drop(keyId: string, waiting: WaitingCall): void {
    waiting.over = true;
    waiting.deadline.clear();
    this.#waiting -= 1;
    const queue = this.#queues.get(keyId)!;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#queues.delete(keyId);
  }

  #busy(why: string): GatewayError {
    const message = `The provider ${this.#providerId} has as many calls as it may (\`max_concurrency\`), and ${why}.`;
    return new GatewayError('provider_busy', message, { retryAfterMs: RETRY_MS });
  }
}

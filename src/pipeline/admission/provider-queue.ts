import { GatewayError } from '../../core/errors.ts';
import type { Concurrency, Provider } from '../../core/provider.ts';
import { Deadline, type TimerWheel } from '../../deadlines/timer-wheel.ts';

/** What a refused call is asked to wait. */
const RETRY_MS = 1000;

/** The right to have a call with a provider, until it is given back; the second time changes nothing. */
export type ProviderSlot = { release(): void };

/** A call that would have a slot: of which key, how long it may wait for one (ms), and what ends the wait from outside. */
export type SlotRequest = {
  keyId: string;
  atMost: number;
  /** Handed a function that ends the wait. The promise then rejects with its error, or with `provider_busy` where there is none. */
  onWait(leave: (error?: GatewayError) => void): void;
};

/** Of a provider without a cap. */
const UNCAPPED: ProviderSlot = { release() {} };

/**
 * How many calls may be with each provider at once. Beyond its cap calls wait in a short queue, in which the keys take
 * turns: a key with many calls does not hold up another with one.
 */
export class ProviderQueues {
  readonly #wheel: TimerWheel;
  readonly #queues = new Map<string, ProviderQueue>();

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel;
  }

  /** A slot that is free now, or `null`. */
  take({ id, concurrency }: Provider): ProviderSlot | null {
    return concurrency === null ? UNCAPPED : this.#queue(id).take(concurrency);
  }

  /** A slot, at the latest in `concurrency.wait` ms or `atMost`. Rejects with `provider_busy` where the queue is full or it took longer. */
  wait({ id, concurrency }: Provider, request: SlotRequest): Promise<ProviderSlot> {
    return concurrency === null ? Promise.resolve(UNCAPPED) : this.#queue(id).wait(concurrency, request);
  }

  /** Whether one more may wait for a slot. */
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
  /** By key, in the order in which it is their turn. */
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
    // Nobody goes before those who wait.
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
      // The key goes behind the others.
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

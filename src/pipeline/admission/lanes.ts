import { GatewayError } from '../../core/errors.ts';
import type { Concurrency, Provider } from '../../core/provider.ts';
import { Deadline, type TimerWheel } from '../../core/timer-wheel.ts';

/** What a refused call is asked to wait. */
const RETRY_MS = 1000;

/** The right to have a call with a provider, until it is given back; the second time changes nothing. */
export type Place = { leave(): void };

/** Ends the wait for a place. */
export type Leave = (error?: GatewayError) => void;

/** Of a provider without a cap. */
const FREE: Place = { leave() {} };

/**
 * How many calls may be with each provider at once. Beyond its cap calls wait in a short queue, in which the keys take
 * turns: a key with many calls does not hold up another with one.
 */
export class Lanes {
  readonly #wheel: TimerWheel;
  readonly #lanes = new Map<string, Lane>();

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel;
  }

  /** A place that is free now, or `null`. */
  tryEnter(provider: Provider): Place | null {
    if (provider.concurrency === null) return FREE;
    return this.#lane(provider.id).tryEnter(provider.concurrency);
  }

  /**
   * A place, at the latest in `concurrency.wait` ms or `atMost`. Rejects with `provider_busy` where the queue is full or it
   * took longer. `onLeave` is handed a function that ends the wait from outside; the promise then rejects with its error, or
   * with `provider_busy` where the caller has left.
   */
  enter(provider: Provider, keyId: string, atMost: number, onLeave: (leave: Leave) => void): Promise<Place> {
    const { concurrency } = provider;
    if (concurrency === null) return Promise.resolve(FREE);
    return this.#lane(provider.id).enter(concurrency, keyId, Math.min(concurrency.wait, atMost), onLeave);
  }

  /** Whether one more may wait for a place. */
  hasRoom({ id, concurrency }: Provider): boolean {
    return concurrency === null || this.#lane(id).waiting < concurrency.queue;
  }

  #lane(providerId: string): Lane {
    let lane = this.#lanes.get(providerId);
    if (lane === undefined) {
      const forget = () => this.#lanes.delete(providerId);
      lane = new Lane(providerId, this.#wheel, forget);
      this.#lanes.set(providerId, lane);
    }
    return lane;
  }
}

type Waiting = { resolve(place: Place): void; reject(error: GatewayError): void; deadline: Deadline; over: boolean };

class Lane {
  readonly #providerId: string;
  readonly #wheel: TimerWheel;
  readonly #forget: () => void;
  #inside = 0;
  #waiting = 0;
  /** By key, in the order in which it is their turn. */
  readonly #queues = new Map<string, Waiting[]>();
  #max = 0;

  constructor(providerId: string, wheel: TimerWheel, forget: () => void) {
    this.#providerId = providerId;
    this.#wheel = wheel;
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#waiting;
  }

  tryEnter({ max }: Concurrency): Place | null {
    this.#max = max;
    // Nobody goes before those who wait.
    return this.#inside < max && this.#waiting === 0 ? this.#take() : null;
  }

  enter(concurrency: Concurrency, keyId: string, waitMs: number, onLeave: (leave: Leave) => void): Promise<Place> {
    const free = this.tryEnter(concurrency);
    if (free !== null) return Promise.resolve(free);
    if (this.#waiting >= concurrency.queue) return Promise.reject(this.#busy('and as many as may wait are waiting'));
    return new Promise((resolve, reject) => {
      const giveUp = (error: GatewayError) => {
        if (waiting.over) return;
        this.#drop(keyId, waiting);
        reject(error);
      };
      const deadline = new Deadline(this.#wheel, () => giveUp(this.#busy('and none ended while this call waited')));
      const waiting: Waiting = { resolve, reject, deadline, over: false };
      const queue = this.#queues.get(keyId);
      if (queue === undefined) this.#queues.set(keyId, [waiting]);
      else queue.push(waiting);
      this.#waiting += 1;
      deadline.set(waitMs);
      onLeave((error) => giveUp(error ?? this.#busy('and the caller left')));
    });
  }

  #take(): Place {
    this.#inside += 1;
    let left = false;
    return {
      leave: () => {
        if (left) return;
        left = true;
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
      next.resolve(this.#take());
    }
  }

  #drop(keyId: string, waiting: Waiting): void {
    waiting.over = true;
    waiting.deadline.clear();
    this.#waiting -= 1;
    const queue = this.#queues.get(keyId)!;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#queues.delete(keyId);
  }

  #busy(why: string): GatewayError {
    const message = `As many calls as may be are with the provider ${this.#providerId}, ${why}.`;
    return new GatewayError('provider_busy', message, { retryAfterMs: RETRY_MS });
  }
}

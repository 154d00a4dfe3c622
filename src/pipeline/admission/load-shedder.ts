import { GatewayError } from '../../core/errors.ts';

/** How often it is looked, in ms. */
const LOOK_MS = 100;
/** The event loop is late only if it was at each of so many looks: one long turn is none. */
const LOOKS = 5;
const RETRY_MS = 1000;

/** 0: no limit. */
export type SheddingLimits = {
  /** ms by which the event loop may run late. */
  maxLoopLag: number;
  /** Bytes of the process. */
  maxMemory: number;
};

export type LoadShedderParts = {
  /** Monotonic ms. */
  now(): number;
  /** Bytes that the process holds. */
  memory(): number;
  limits(): SheddingLimits;
};

/**
 * Refuses calls while the process is so far behind, or so large, that one more would hurt those under way. What counts is
 * the least lateness of the last looks: a queue that does not go away.
 */
export class LoadShedder {
  readonly #parts: LoadShedderParts;
  readonly #lags: number[] = [];
  /** The least of them, once there are enough. */
  #lag = 0;
  #due = 0;
  #memory = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: LoadShedderParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#due = this.#parts.now() + LOOK_MS;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** To be called every 100 ms; `start` does. */
  look(): void {
    const now = this.#parts.now();
    this.#lags.push(Math.max(0, now - this.#due));
    if (this.#lags.length > LOOKS) this.#lags.shift();
    this.#lag = this.#lags.length < LOOKS ? 0 : Math.min(...this.#lags);
    this.#due = now + LOOK_MS;
    if (this.#parts.limits().maxMemory > 0) this.#memory = this.#parts.memory();
  }

  /** Throws `overloaded` while there is too much to do. */
  check(): void {
    const { maxLoopLag, maxMemory } = this.#parts.limits();
    if (maxLoopLag > 0 && this.#lag > maxLoopLag) throw busy(`runs ${Math.round(this.#lag)} ms late`);
    if (maxMemory > 0 && this.#memory > maxMemory) throw busy('holds as much memory as it may');
  }
}

function busy(why: string): GatewayError {
  return new GatewayError('overloaded', `The gateway ${why}; send the call again.`, { retryAfterMs: RETRY_MS });
}

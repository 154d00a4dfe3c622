import { GatewayError } from '../../core/errors.ts';

/** Time between samples, in ms. */
const LOOK_MS = 100;
/** The number of samples that must all be late: a single long turn of the event loop does not count. */
const LOOKS = 5;
const RETRY_MS = 1000;

/** 0 means no limit. */
export type SheddingLimits = {
  /** The largest lag of the event loop, in ms. */
  maxLoopLag: number;
  /** The most memory of the process, in bytes. */
  maxMemory: number;
};

export type LoadShedderParts = {
  /** Monotonic ms. */
  now(): number;
  /** Memory of the process, in bytes. */
  memory(): number;
  limits(): SheddingLimits;
};

/**
 * Refuses calls while the process is so far behind, or uses so much memory, that another call would hurt the running
 * ones. The smallest lag of the last samples counts: it shows a backlog that does not clear.
 */
export class LoadShedder {
  readonly #parts: LoadShedderParts;
  readonly #lags: number[] = [];
  /** The smallest of the lags; 0 until there are enough samples. */
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

  /** Takes a sample. Must be called every 100 ms; `start` does that. */
  look(): void {
    const now = this.#parts.now();
    this.#lags.push(Math.max(0, now - this.#due));
    if (this.#lags.length > LOOKS) this.#lags.shift();
    this.#lag = this.#lags.length < LOOKS ? 0 : Math.min(...this.#lags);
    this.#due = now + LOOK_MS;
    if (this.#parts.limits().maxMemory > 0) this.#memory = this.#parts.memory();
  }

  /** Whether a limit is near: what nobody's call waits for ends first. */
  get isBusy(): boolean {
    const { maxLoopLag, maxMemory } = this.#parts.limits();
    return (maxLoopLag > 0 && this.#lag > maxLoopLag / 2) || (maxMemory > 0 && this.#memory > maxMemory * 0.9);
  }

  /** Throws `overloaded` while a limit is exceeded. */
  check(): void {
    const { maxLoopLag, maxMemory } = this.#parts.limits();
    if (maxLoopLag > 0 && this.#lag > maxLoopLag) throw busy(`runs ${Math.round(this.#lag)} ms late`);
    if (maxMemory > 0 && this.#memory > maxMemory) throw busy('holds as much memory as it may');
  }
}

function busy(why: string): GatewayError {
  return new GatewayError('overloaded', `The gateway ${why}; send the call again.`, { retryAfterMs: RETRY_MS });
}

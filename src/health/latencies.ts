/** Decay time of the moving average: after this many ms a lower time has two thirds of its effect. */
const DECAY_MS = 10_000;
/** Older times are ignored, so that the target is tried again. */
const FORGOTTEN_AFTER_MS = 60_000;
const REMEMBERED = 200;
const FIRST_ROOM = 16;
const BUCKETS = 10;

/** Peak-sensitive moving average of times: rises at once, falls slowly. */
export class PeakAverage {
  #value = 0;
  #at = Number.NEGATIVE_INFINITY;

  note(ms: number, now: number): void {
    const weight = Math.exp((this.#at - now) / DECAY_MS);
    this.#value = ms >= this.#value ? ms : this.#value * weight + ms * (1 - weight);
    this.#at = now;
  }

  /** The average in ms; `null` without recent times. */
  value(now: number): number | null {
    return now - this.#at > FORGOTTEN_AFTER_MS ? null : this.#value;
  }
}

/** The last 200 times. */
export class Latest {
  #times = new Float32Array(FIRST_ROOM);
  #count = 0;

  note(ms: number): void {
    if (this.#count === this.#times.length && this.#count < REMEMBERED) {
      const more = new Float32Array(Math.min(REMEMBERED, this.#count * 2));
      more.set(this.#times);
      this.#times = more;
    }
    this.#times[this.#count % this.#times.length] = ms;
    this.#count += 1;
  }

  /** @param parts fractions in order: 0.5 is the median. `null` if there were no calls. */
  percentiles(parts: readonly number[]): (number | null)[] {
    const times = this.#times.slice(0, Math.min(this.#count, this.#times.length)).sort();
    return parts.map((part) => times[Math.max(0, Math.ceil(part * times.length) - 1)] ?? null);
  }
}

/** Counts calls and failed calls in a window that slides by a tenth of its length. */
export class Window {
  readonly #calls = new Uint32Array(BUCKETS);
  readonly #failures = new Uint32Array(BUCKETS);
  #span: number;
  /** The number of the current bucket, counted from the clock's zero. */
  #bucket = 0;
  calls = 0;
  failures = 0;

  constructor(ms: number) {
    this.#span = ms / BUCKETS;
  }

  note(failed: boolean, now: number): void {
    this.slide(now);
    const at = this.#bucket % BUCKETS;
    this.#calls[at]! += 1;
    this.calls += 1;
    if (!failed) return;
    this.#failures[at]! += 1;
    this.failures += 1;
  }

  /** Removes what has left the window. */
  slide(now: number): void {
    const bucket = Math.floor(now / this.#span);
    if (bucket <= this.#bucket) return;
    if (bucket - this.#bucket >= BUCKETS) this.#empty();
    else for (let passed = this.#bucket + 1; passed <= bucket; passed += 1) this.#forget(passed % BUCKETS);
    this.#bucket = bucket;
  }

  /** Starts again with another length. */
  reset(ms: number, now: number): void {
    this.#empty();
    this.#span = ms / BUCKETS;
    this.#bucket = Math.floor(now / this.#span);
  }

  #forget(at: number): void {
    this.calls -= this.#calls[at]!;
    this.failures -= this.#failures[at]!;
    this.#calls[at] = 0;
    this.#failures[at] = 0;
  }

  #empty(): void {
    this.#calls.fill(0);
    this.#failures.fill(0);
    this.calls = 0;
    this.failures = 0;
  }
}

import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';

/** What a stream waits for: the numbers of its deadlines. */
export const ALARM = { total: 0, silence: 1, hold: 2, ping: 3, speed: 4, release: 5, usage: 6 } as const;
export type Alarm = (typeof ALARM)[keyof typeof ALARM];

/** Time in ms for a vendor to end the exchange after its terminal event, so that its socket can be reused. */
export const RELEASE_MS = 250;

/** Time in ms that a vendor has to report the usage after the caller of a complete answer has left. */
export const USAGE_MS = 3000;

/** When a deadline that is not set is due. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * The deadlines of one stream, in one place of the timer wheel.
 *
 * /!\ Hot path: deadlines are moved later with each piece of a stream, which costs one assignment.
 */
export class StreamDeadlines {
  readonly #wheel: TimerWheel;
  readonly #ring: (alarm: Alarm) => void;
  /** Monotonic ms, by number. */
  readonly #due: number[] = new Array(Object.keys(ALARM).length).fill(NEVER);
  /** Set for the earliest deadline or before it. */
  readonly #next: Deadline;

  /** @param ring called once for each deadline that passes, which is then cleared */
  constructor(wheel: TimerWheel, ring: (alarm: Alarm) => void) {
    this.#wheel = wheel;
    this.#ring = ring;
    this.#next = new Deadline(wheel, () => this.#wake());
  }

  set(alarm: Alarm, afterMs: number): void {
    this.setAt(alarm, this.#wheel.monotonic() + afterMs);
  }

  /** @param due monotonic ms */
  setAt(alarm: Alarm, due: number): void {
    this.#due[alarm] = due;
    if (!this.#next.isSet || due < this.#next.dueAt) this.#next.setAt(due);
  }

  clear(alarm: Alarm): void {
    this.#due[alarm] = NEVER;
  }

  /** Clears all deadlines; none rings afterwards. */
  stop(): void {
    this.#due.fill(NEVER);
    this.#next.clear();
  }

  #wake(): void {
    const now = this.#wheel.monotonic();
    for (const [alarm, due] of this.#due.entries()) {
      if (due > now) continue;
      this.#due[alarm] = NEVER;
      this.#ring(alarm as Alarm);
    }
    const next = Math.min(...this.#due);
    if (next !== NEVER && (!this.#next.isSet || next < this.#next.dueAt)) this.#next.setAt(next);
  }
}

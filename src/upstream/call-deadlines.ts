import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';

/** Several deadlines of one call in one place of the timer wheel. Moving a deadline later costs one assignment. */
export class CallDeadlines<Name extends string> {
  readonly #wheel: TimerWheel;
  readonly #ring: (name: Name) => void;
  readonly #due: Map<Name, number> = new Map();
  /** Set for the earliest deadline or before it. */
  readonly #next: Deadline;

  /** @param ring called once for each deadline that passes, which is then cleared */
  constructor(wheel: TimerWheel, ring: (name: Name) => void) {
    this.#wheel = wheel;
    this.#ring = ring;
    this.#next = new Deadline(wheel, () => this.#wake());
  }

  set(name: Name, afterMs: number): void {
    this.setAt(name, this.#wheel.monotonic() + afterMs);
  }

  /** @param due monotonic ms */
  setAt(name: Name, due: number): void {
    this.#due.set(name, due);
    if (!this.#next.isSet || due < this.#next.dueAt) this.#next.setAt(due);
  }

  clear(name: Name): void {
    this.#due.delete(name);
  }

  /** Clears all deadlines; none rings afterwards. */
  stop(): void {
    this.#due.clear();
    this.#next.clear();
  }

  #wake(): void {
    const now = this.#wheel.monotonic();
    for (const [name, due] of [...this.#due]) {
      if (due > now || this.#due.get(name) !== due) continue;
      this.#due.delete(name);
      this.#ring(name);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const due of this.#due.values()) next = Math.min(next, due);
    if (Number.isFinite(next) && (!this.#next.isSet || next < this.#next.dueAt)) this.#next.setAt(next);
  }
}

/**
 * Several deadlines of one call on one timer. Moving a deadline later costs an assignment: the timer, when it fires too
 * early, is set again for what is left. Times are monotonic milliseconds.
 */
export class Alarms<Name extends string> {
  readonly #now: () => number;
  readonly #ring: (name: Name) => void;
  readonly #due: Map<Name, number> = new Map();
  #timer: NodeJS.Timeout | null = null;
  #wakeAt = Number.POSITIVE_INFINITY;

  /** @param ring called once for each deadline that passes; it is then no longer set */
  constructor(now: () => number, ring: (name: Name) => void) {
    this.#now = now;
    this.#ring = ring;
  }

  set(name: Name, afterMs: number): void {
    const due = this.#now() + afterMs;
    this.#due.set(name, due);
    if (due < this.#wakeAt) this.#arm(due);
  }

  clear(name: Name): void {
    this.#due.delete(name);
  }

  /** Clears all. Nothing rings after it. */
  stop(): void {
    this.#due.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wakeAt = Number.POSITIVE_INFINITY;
  }

  #arm(wakeAt: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#wakeAt = wakeAt;
    this.#timer = setTimeout(() => this.#wake(), Math.max(1, Math.ceil(wakeAt - this.#now())));
  }

  #wake(): void {
    this.#timer = null;
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const now = this.#now();
    for (const [name, due] of [...this.#due]) {
      if (due > now || this.#due.get(name) !== due) continue;
      this.#due.delete(name);
      this.#ring(name);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const due of this.#due.values()) next = Math.min(next, due);
    if (next < this.#wakeAt) this.#arm(next);
  }
}

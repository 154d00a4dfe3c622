/** How finely deadlines are kept, in ms: one may ring this much late, never early. */
const TICK_MS = 5;
/** Ticks until the wheel comes round; a deadline further off is looked at once a round. */
const SLOTS = 1024;

/** Many deadlines on one timer, which runs only while there are any. */
export class TimerWheel {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly #slots: (Deadline | null)[] = new Array(SLOTS).fill(null);
  #count = 0;
  /** The tick up to which all that was due has rung, and the one at which the timer wakes. */
  #tick = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(now: () => number) {
    this.now = now;
  }

  /** For `Deadline` alone: puts one at its place. */
  put(deadline: Deadline): void {
    if (this.#count === 0) this.#tick = this.#present();
    this.#count += 1;
    const tick = this.#place(deadline);
    if (tick < this.#wakeAt) this.#arm(tick);
  }

  /** For `Deadline` alone: takes one out. */
  take(deadline: Deadline): void {
    this.#count -= 1;
    const { before, behind, slot } = deadline;
    if (before === null) this.#slots[slot] = behind;
    else before.behind = behind;
    if (behind !== null) behind.before = before;
    deadline.before = null;
    deadline.behind = null;
    deadline.slot = -1;
  }

  /** @returns the tick at which it will be looked at */
  #place(deadline: Deadline): number {
    const due = Math.ceil(deadline.dueAt / TICK_MS);
    const tick = Math.min(Math.max(due, this.#tick + 1), this.#tick + SLOTS - 1);
    const slot = tick % SLOTS;
    const first = this.#slots[slot]!;
    deadline.slot = slot;
    deadline.behind = first;
    if (first !== null) first.before = deadline;
    this.#slots[slot] = deadline;
    return tick;
  }

  #arm(tick: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#wakeAt = tick;
    this.#timer = setTimeout(() => this.#turn(), Math.max(1, Math.ceil(tick * TICK_MS - this.now())));
    // What a deadline guards keeps the process running, where anything should.
    this.#timer.unref();
  }

  /** Rings what is due. A slot that is looked at gets no new deadline meanwhile: all are put behind the present tick. */
  #turn(): void {
    this.#timer = null;
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const present = this.#present();
    this.#tick = Math.max(this.#tick, present - SLOTS);
    while (this.#tick < present) {
      this.#tick += 1;
      for (let first = this.#first(); first !== null; first = this.#first()) this.#look(first);
    }
    if (this.#count === 0) return;
    let next = this.#tick + 1;
    while (this.#slots[next % SLOTS] === null) next += 1;
    if (next < this.#wakeAt) this.#arm(next);
  }

  #look(deadline: Deadline): void {
    this.take(deadline);
    if (deadline.dueAt <= this.#tick * TICK_MS) return deadline.ring();
    this.#count += 1;
    this.#place(deadline);
  }

  #first(): Deadline | null {
    return this.#slots[this.#tick % SLOTS]!;
  }

  #present(): number {
    return Math.floor(this.now() / TICK_MS);
  }
}

/**
 * Something that is to happen unless it is put off. Made once for what it guards, and set again and again: to put off one
 * that is set costs an assignment.
 */
export class Deadline {
  readonly #wheel: TimerWheel;
  readonly ring: () => void;
  /** Monotonic ms. */
  dueAt = 0;
  /** Its place on the wheel, which the wheel alone changes; -1 while it is not set. */
  slot = -1;
  before: Deadline | null = null;
  behind: Deadline | null = null;

  /** @param ring called once each time it passes; it is then no longer set */
  constructor(wheel: TimerWheel, ring: () => void) {
    this.#wheel = wheel;
    this.ring = ring;
  }

  get isSet(): boolean {
    return this.slot >= 0;
  }

  set(afterMs: number): void {
    this.setAt(this.#wheel.now() + afterMs);
  }

  /** @param dueAt monotonic ms */
  setAt(dueAt: number): void {
    const later = dueAt >= this.dueAt;
    this.dueAt = dueAt;
    if (this.slot >= 0) {
      // It is found too early at its old place, and then put where it belongs.
      if (later) return;
      this.#wheel.take(this);
    }
    this.#wheel.put(this);
  }

  clear(): void {
    if (this.slot >= 0) this.#wheel.take(this);
  }
}

/** The resolution of deadlines, in ms: one may ring this much late, but never early. */
const TICK_MS = 5;
/** Ticks per turn of the wheel; a deadline further away is checked once per turn. */
const SLOTS = 1024;

/** Many deadlines on one timer, which only runs while any are set. */
export class TimerWheel {
  /** The clock of all its deadlines, in ms. */
  readonly monotonic: () => number;
  readonly #slots: (Deadline | null)[] = new Array(SLOTS).fill(null);
  #count = 0;
  /** The tick up to which all due deadlines have rung, and the tick at which the timer wakes. */
  #tick = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(monotonic: () => number) {
    this.monotonic = monotonic;
  }

  /** For `Deadline` only: adds one at its place. */
  put(deadline: Deadline): void {
    if (this.#count === 0) this.#tick = this.#present();
    this.#count += 1;
    const tick = this.#place(deadline);
    if (tick < this.#wakeAt) this.#arm(tick);
  }

  /** For `Deadline` only: removes one. */
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

  /** @returns the tick at which it is checked */
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
    this.#timer = setTimeout(() => this.#turn(), Math.max(1, Math.ceil(tick * TICK_MS - this.monotonic())));
    // The timer does not keep the process running; what the deadline guards does so if necessary.
    this.#timer.unref();
  }

  /** Rings due deadlines. No deadline is added to the slot being checked, because all are placed after the current tick. */
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
    return Math.floor(this.monotonic() / TICK_MS);
  }
}

/**
 * Calls `ring` at a time unless it is postponed or cleared. Made once for what it guards and set repeatedly: postponing
 * one that is set costs one assignment.
 */
export class Deadline {
  readonly #wheel: TimerWheel;
  readonly ring: () => void;
  /** Monotonic ms. */
  dueAt = 0;
  /** Its slot on the wheel, changed only by the wheel; -1 while it is not set. */
  slot = -1;
  before: Deadline | null = null;
  behind: Deadline | null = null;

  /** @param ring called each time the deadline passes, which is then no longer set */
  constructor(wheel: TimerWheel, ring: () => void) {
    this.#wheel = wheel;
    this.ring = ring;
  }

  get isSet(): boolean {
    return this.slot >= 0;
  }

  set(afterMs: number): void {
    this.setAt(this.#wheel.monotonic() + afterMs);
  }

  /** @param dueAt monotonic ms */
  setAt(dueAt: number): void {
    const later = dueAt >= this.dueAt;
    this.dueAt = dueAt;
    if (this.slot >= 0) {
      // The wheel checks it too early at its old place, and then moves it.
      if (later) return;
      this.#wheel.take(this);
    }
    this.#wheel.put(this);
  }

  clear(): void {
    if (this.slot >= 0) this.#wheel.take(this);
  }
}

/** How often the primary pings its workers. */
export const PING_EVERY_MS = 1_000;

/** A beat this late (ms) means that this process did not run: it was stopped or starved, or the machine slept. */
const LATE_MS = 2 * PING_EVERY_MS;

type Pinged = { readonly channel: { ask(name: 'ping', body: null): Promise<unknown> } };

/** The state of a worker. */
type Pulse = {
  /** True while a ping is unanswered. */
  isWaiting: boolean;
  /** On-time beats since the ping. */
  missed: number;
  isGivenUp: boolean;
};

export type HeartbeatParts<Each extends Pinged> = {
  /** How long a serving worker may leave a ping unanswered, in ms. */
  timeoutMs: number;
  /**
   * How long a starting worker may leave a ping unanswered, in ms. Longer, since no callers wait and the machine may be
   * busy.
   */
  startTimeoutMs: number;
  members(): readonly Each[];
  serves(member: Each): boolean;
  /** Called once per worker that no longer answers, with the time without an answer (ms). */
  onSilent(member: Each, silentMs: number): void;
  /** Monotonic ms. */
  now(): number;
};

/**
 * Detects workers that no longer answer. It counts on-time beats instead of time, so that a primary that did not run itself
 * does not blame its workers.
 */
export class Heartbeat<Each extends Pinged> {
  readonly #parts: HeartbeatParts<Each>;
  readonly #pulses = new WeakMap<Each, Pulse>();
  #beatAt: number;

  constructor(parts: HeartbeatParts<Each>) {
    this.#parts = parts;
    this.#beatAt = parts.now();
  }

  /** Must be called every `PING_EVERY_MS`. */
  beat(): void {
    const now = this.#parts.now();
    const isLate = now - this.#beatAt > LATE_MS;
    this.#beatAt = now;
    for (const member of this.#parts.members()) this.#look(member, isLate);
  }

  #look(member: Each, isLate: boolean): void {
    const pulse = this.#pulseOf(member);
    if (pulse.isGivenUp) return;
    if (!pulse.isWaiting) return this.#ask(member, pulse);
    pulse.missed = isLate ? 0 : pulse.missed + 1;
    const silentMs = pulse.missed * PING_EVERY_MS;
    const { timeoutMs, startTimeoutMs, serves } = this.#parts;
    if (silentMs < (serves(member) ? timeoutMs : startTimeoutMs)) return;
    pulse.isGivenUp = true;
    this.#parts.onSilent(member, silentMs);
  }

  /** One ping at a time: for a stopped process they would pile up. */
  #ask({ channel }: Each, pulse: Pulse): void {
    pulse.isWaiting = true;
    pulse.missed = 0;
    channel.ask('ping', null).then(
      () => {
        pulse.isWaiting = false;
      },
      () => undefined, // It has ended, which is told by itself.
    );
  }

  #pulseOf(member: Each): Pulse {
    let pulse = this.#pulses.get(member);
    if (pulse === undefined) {
      pulse = { isWaiting: false, missed: 0, isGivenUp: false };
      this.#pulses.set(member, pulse);
    }
    return pulse;
  }
}

/** How often the primary asks its workers for a sign of life. */
export const PING_EVERY_MS = 1_000;

/** How long a worker may take to its first answer: it loads the program, on a machine that may be busy with as many others. */
export const START_TIMEOUT_MS = 60_000;

/** A beat that comes later than this (ms) says that this process itself did not run: stopped, starved, or asleep with its machine. */
const LATE_MS = 2 * PING_EVERY_MS;

type Asked = { readonly channel: { ask(name: 'ping', body: null): Promise<unknown> } };

/** What is known of one worker. */
type Pulse = {
  /** A ping is on its way, and was not answered yet. */
  isWaiting: boolean;
  /** Beats since, while this process ran. */
  missed: number;
  hasAnswered: boolean;
  isGivenUp: boolean;
};

export type HeartbeatParts<Each extends Asked> = {
  /** How long a worker may leave a ping unanswered, in ms. */
  timeoutMs: number;
  members(): readonly Each[];
  /** Told once of each that does not answer any more, and for how long it has not (ms). */
  onSilent(member: Each, silentMs: number): void;
  /** Monotonic ms. */
  now(): number;
};

/**
 * Tells which workers do not answer any more: stopped, or busy with one piece of work without end. What is counted is beats
 * and not time, and only beats that came in time: so a primary that did not run itself blames nobody.
 */
export class Heartbeat<Each extends Asked> {
  readonly #parts: HeartbeatParts<Each>;
  readonly #pulses = new WeakMap<Each, Pulse>();
  #beatAt: number;

  constructor(parts: HeartbeatParts<Each>) {
    this.#parts = parts;
    this.#beatAt = parts.now();
  }

  /** To be called every `PING_EVERY_MS`. */
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
    if (silentMs < (pulse.hasAnswered ? this.#parts.timeoutMs : START_TIMEOUT_MS)) return;
    pulse.isGivenUp = true;
    this.#parts.onSilent(member, silentMs);
  }

  /** One ping at a time: what a stopped process has not read would only pile up. */
  #ask({ channel }: Each, pulse: Pulse): void {
    pulse.isWaiting = true;
    pulse.missed = 0;
    channel.ask('ping', null).then(
      () => {
        pulse.isWaiting = false;
        pulse.hasAnswered = true;
      },
      () => undefined, // It has ended, which is told by itself.
    );
  }

  #pulseOf(member: Each): Pulse {
    let pulse = this.#pulses.get(member);
    if (pulse === undefined) {
      pulse = { isWaiting: false, missed: 0, hasAnswered: false, isGivenUp: false };
      this.#pulses.set(member, pulse);
    }
    return pulse;
  }
}

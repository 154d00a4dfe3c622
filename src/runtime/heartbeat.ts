/** How often the primary asks its workers for a sign of life. */
export const PING_EVERY_MS = 1_000;

/** A beat that comes this late (ms) means that this process itself did not run: it was stopped, got no CPU, or the machine slept. */
const LATE_MS = 2 * PING_EVERY_MS;

type Pinged = { readonly channel: { ask(name: 'ping', body: null): Promise<unknown> } };

/** What is known of one worker. */
type Pulse = {
  /** A ping is on its way, and was not answered yet. */
  isWaiting: boolean;
  /** Beats since then, not counting those that came late. */
  missed: number;
  isGivenUp: boolean;
};

export type HeartbeatParts<Each extends Pinged> = {
  /** How long a worker that serves may leave a ping unanswered, in ms: its callers wait. */
  timeoutMs: number;
  /** The same for one that does not serve yet, in ms: nobody waits for it, and it may get little of a busy machine. */
  startTimeoutMs: number;
  members(): readonly Each[];
  serves(member: Each): boolean;
  /** Called once for each worker that no longer answers, with how long it has not (ms). */
  onSilent(member: Each, silentMs: number): void;
  /** Monotonic ms. */
  now(): number;
};

/**
 * Finds workers that no longer answer, because they are stopped or busy without end. It counts beats instead of time, and only
 * beats that came on time: a primary that did not run itself must not blame its workers.
 */
export class Heartbeat<Each extends Pinged> {
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
    const { timeoutMs, startTimeoutMs, serves } = this.#parts;
    if (silentMs < (serves(member) ? timeoutMs : startTimeoutMs)) return;
    pulse.isGivenUp = true;
    this.#parts.onSilent(member, silentMs);
  }

  /** One ping at a time: a stopped process reads none, and they would only pile up. */
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

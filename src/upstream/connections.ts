import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';

/** The most idle connections kept to one origin. Busy connections are limited by the number of calls. */
export const MAX_IDLE = 512;
/**
 * How long a connection must be idle after an answer before it carries another request, in ms. Surplus bytes from the
 * vendor, or its close, are noticed in this time. If `MAX_RESTING` connections are already idle, the oldest is used
 * sooner: otherwise a vendor that answers more than 5,000 calls per second would need a new connection for each.
 */
export const REST_MS = 50;
export const MAX_RESTING = 256;
/** How long connections are not reused for an origin that sent bytes without a request, in ms. */
export const UNTRUSTED_MS = 3_600_000;
/**
 * A request on a reused connection that closes without sending a byte is sent again if the close arrives within this
 * time, in ms. A close that was sent before the request arrived takes at most a round trip; after a later one, the
 * vendor may already have processed the request.
 */
export const RESEND_WITHIN_MS = 1_000;

/** How long an idle connection is kept if the vendor sends no `keep-alive` timeout, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** The most that a vendor's timeout counts, in ms. */
const MAX_KEEP_ALIVE_MS = 600_000;
/** A connection is closed this long before the vendor would close it, in ms, so that no request meets the close. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** How long a connection may be idle, in ms, from the vendor's timeout in seconds; `null` if it sent none. */
export function valuesFor(seconds: number | null): number {
  return seconds === null ? KEEP_ALIVE_MS : Math.min(seconds * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
}

/** One connection to an origin, which carries one call at a time. */
export type PooledConnection<Call> = {
  /** True if it can carry a call. The event loop may ask between the connection's end and `onGone`. */
  readonly usable: boolean;
  /** How long it may be idle after its last call, in ms. */
  readonly keepAliveMs: number;
  /** For its owner only: when it became idle, until when it may be (monotonic ms), and in which turn it did. */
  idleSince: number;
  idleUntil: number;
  idleTurn: number;
  carry(call: Call): void;
  /** Closes it at once, without notifying its call. */
  drop(): void;
};

/** The owner of a connection, which is notified of its state. */
export type ConnectionOwner<Call> = {
  /** The connection has finished its call and can carry another. */
  onFree(connection: PooledConnection<Call>): void;
  /** The connection has closed, in whatever state it was. Called once. */
  onGone(connection: PooledConnection<Call>): void;
  /** The vendor sent bytes without a request. */
  onSurplus(): void;
  /** A reused connection closed within `RESEND_WITHIN_MS` of this call's request, without a byte of an answer. */
  onUnanswered(call: Call): void;
};

/**
 * Connections to one origin, each carrying one call at a time. Of those idle long enough, the most recently used one is
 * taken first, so that surplus connections expire.
 *
 * Idle connections are taken at the end of a turn of the event loop, and never in the turn in which they became free.
 * All input that had arrived when the turn began is read by then, so a connection that had closed or received surplus bytes is
 * already removed. What arrives during a turn is read in the next one, so the time of the turn is no rest.
 *
 * /!\ Hot path: one immediate serves all calls of a turn.
 */
export abstract class Connections<Call extends { readonly over: boolean }> implements ConnectionOwner<Call> {
  readonly #now: () => number;
  /** Idle connections, longest idle first. */
  readonly #idle: PooledConnection<Call>[] = [];
  /** Calls that wait for the end of the turn. */
  #waiting: Call[] = [];
  /** Counts the turns in which a connection was requested or became free. */
  #turn = 0;
  #turnEnds = false;
  /** When the first of them did in the present turn (monotonic ms). */
  #turnBeganAt = 0;
  #untrustedUntil = Number.NEGATIVE_INFINITY;
  /** Rings when the first idle connection expires. */
  readonly #sweep: Deadline;
  #connections = 0;
  #closed: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(wheel: TimerWheel) {
    this.#now = wheel.monotonic;
    this.#sweep = new Deadline(wheel, () => this.#dropOld());
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** Closes idle connections now and others when they become idle; resolves when none is left. */
  close(): Promise<void> {
    if (this.#closed !== null) return this.#closed.promise;
    this.#closed = Promise.withResolvers<void>();
    this.#dropIdle();
    this.#resolveClosed();
    return this.#closed.promise;
  }

  onFree(connection: PooledConnection<Call>): void {
    const now = this.#now();
    if (this.#closed !== null || this.#idle.length >= MAX_IDLE || now < this.#untrustedUntil) return connection.drop();
    connection.idleSince = now;
    connection.idleUntil = now + connection.keepAliveMs;
    connection.idleTurn = this.#turn;
    this.#idle.push(connection);
    this.#awaitTurn();
    if (!this.#sweep.isSet || connection.idleUntil < this.#sweep.dueAt) this.#sweep.setAt(connection.idleUntil);
  }

  onGone(connection: PooledConnection<Call>): void {
    const at = this.#idle.lastIndexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#connections -= 1;
    this.#resolveClosed();
  }

  onSurplus(): void {
    this.#untrustedUntil = this.#now() + UNTRUSTED_MS;
    this.#dropIdle();
  }

  onUnanswered(call: Call): void {
    this.#connect().carry(call);
  }

  protected abstract open(): PooledConnection<Call>;

  protected dispatch(call: Call): void {
    if (this.#idle.length === 0) return this.#connect().carry(call);
    this.#waiting.push(call);
    this.#awaitTurn();
  }

  #awaitTurn(): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    this.#turnBeganAt = this.#now();
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#turnEnds = false;
    const waiting = this.#waiting;
    if (waiting.length > 0) {
      this.#waiting = [];
      for (const call of waiting) if (!call.over) (this.#takeIdle() ?? this.#connect()).carry(call);
      this.#resolveClosed();
    }
    this.#turn += 1;
  };

  #takeIdle(): PooledConnection<Call> | null {
    const now = this.#now();
    const began = this.#turnBeganAt;
    for (let at = this.#lastRested(began); at >= 0; at = this.#lastRested(began)) {
      const connection = this.#idle[at]!;
      // Under load it is the oldest, and `splice` would move all others.
      if (at === 0) this.#idle.shift();
      else this.#idle.splice(at, 1);
      // The sweep may be late if the process was busy.
      if (connection.usable && connection.idleUntil > now) return connection;
      connection.drop();
    }
    return null;
  }

  /**
   * The index of the most recently used idle connection that may be used; -1 if there is none.
   *
   * /!\ Hot path: under load the oldest one is not idle long enough, and then the others need not be read.
   */
  #lastRested(now: number): number {
    const oldest = this.#idle[0];
    if (oldest === undefined) return -1;
    if (!this.#hasRested(oldest, now)) {
      return this.#idle.length >= MAX_RESTING && oldest.idleTurn !== this.#turn ? 0 : -1;
    }
    let from = 1;
    let to = this.#idle.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#hasRested(this.#idle[middle]!, now)) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  #hasRested({ idleSince, idleTurn }: PooledConnection<Call>, now: number): boolean {
    return now - idleSince >= REST_MS && idleTurn !== this.#turn;
  }

  #connect(): PooledConnection<Call> {
    this.#connections += 1;
    return this.open();
  }

  #dropIdle(): void {
    this.#sweep.clear();
    for (const connection of this.#idle.splice(0)) connection.drop();
  }

  #dropOld(): void {
    const now = this.#now();
    const kept = this.#idle.filter(({ idleUntil }) => idleUntil > now);
    const old = this.#idle.filter(({ idleUntil }) => idleUntil <= now);
    this.#idle.splice(0, this.#idle.length, ...kept);
    for (const connection of old) connection.drop();
    if (kept.length > 0) this.#sweep.setAt(Math.min(...kept.map(({ idleUntil }) => idleUntil)));
  }

  #resolveClosed(): void {
    if (this.#connections === 0 && this.#waiting.length === 0) this.#closed?.resolve();
  }
}

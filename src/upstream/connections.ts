import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';

/** Idle connections kept to one origin, at most. Those that carry calls are bounded by the calls. */
export const MAX_IDLE = 512;
/**
 * How long a connection rests behind an answer before it carries another request, in ms: what its vendor sends beyond that
 * answer, and its end, are seen meanwhile. Where `MAX_RESTING` lie idle already, those that rested longest are used sooner:
 * a vendor that answers more than 5,000 calls a second would have a connection made for each.
 */
export const REST_MS = 50;
export const MAX_RESTING = 256;
/** How long no connection is reused to an origin that sent bytes without a request, in ms. */
export const UNTRUSTED_MS = 3_600_000;
/**
 * A request that was written on a used connection which then ends without a byte is sent again, if that comes within this
 * time, in ms. An end that was on its way before the request takes a round trip at most; what ends later may have worked.
 */
export const RESEND_WITHIN_MS = 1_000;

/** How long an idle connection is kept whose vendor does not say for how long it keeps it, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** However long a vendor says that it keeps it. */
const MAX_KEEP_ALIVE_MS = 600_000;
/** A connection is given up this long before its vendor does it, in ms: a request must not meet the end of it. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** How long a connection may lie idle, in ms, by the seconds that its vendor says; `null` where it does not say. */
export function keptFor(seconds: number | null): number {
  return seconds === null ? KEEP_ALIVE_MS : Math.min(seconds * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
}

/** One connection to an origin, which carries one call at a time. */
export type PooledConnection<Call> = {
  /** It can carry a call. Between its end and `onGone` the event loop may go on to calls that look for a connection. */
  readonly usable: boolean;
  /** How long it may lie idle behind the call that it carried last, in ms. */
  readonly keepAliveMs: number;
  /** For its owner alone: when it became idle, until when it may lie so (monotonic ms), and in which turn that was. */
  idleSince: number;
  idleUntil: number;
  idleTurn: number;
  carry(call: Call): void;
  /** Closes it at once, without telling its call, if it has one. */
  drop(): void;
};

/** The owner of a connection, which is told what becomes of it. */
export type ConnectionOwner<Call> = {
  /** It has carried its call to the end, and can carry another. */
  onFree(connection: PooledConnection<Call>): void;
  /** It is gone, whatever it was doing. Called once. */
  onGone(connection: PooledConnection<Call>): void;
  /** Its vendor sent bytes without a request. */
  onSurplus(): void;
  /** It was used before, and ended within `RESEND_WITHIN_MS` of this call's request, without a byte of an answer. */
  onUnanswered(call: Call): void;
};

/**
 * Connections to one origin, each carrying one call at a time. Of those that have rested the one that was used last is used
 * first, so that those beyond need grow old and go.
 *
 * A used connection is taken at the end of a turn of the event loop, and never one that became free in that turn: all that
 * had reached this machine has then been read, so a connection that ended, or on which something came unasked, is gone.
 *
 * /!\ Hot path: one immediate serves all that happens in a turn.
 */
export abstract class Connections<Call extends { readonly over: boolean }> implements ConnectionOwner<Call> {
  readonly #now: () => number;
  /** By when they became idle, the one that has been so for longest first. */
  readonly #idle: PooledConnection<Call>[] = [];
  /** Calls for the end of the turn. */
  #waiting: Call[] = [];
  /** Counts turns in which a connection was wanted or became free. */
  #turn = 0;
  #turnEnds = false;
  #untrustedUntil = Number.NEGATIVE_INFINITY;
  /** Rings when the first of the idle connections has been idle for too long. */
  readonly #sweep: Deadline;
  #connections = 0;
  #closed: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(wheel: TimerWheel) {
    this.#now = wheel.now;
    this.#sweep = new Deadline(wheel, () => this.#dropOld());
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** Closes what is idle now and what becomes idle; resolves when no connection is left. */
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
    for (let at = this.#lastRested(now); at >= 0; at = this.#lastRested(now)) {
      const connection = this.#idle[at]!;
      this.#idle.splice(at, 1);
      // The sweep may be late where the process was busy.
      if (connection.usable && connection.idleUntil > now) return connection;
      connection.drop();
    }
    return null;
  }

  /**
   * Where the idle connection stands that may be used and was so last; -1 where there is none.
   *
   * /!\ Hot path: under load the oldest one says that none has rested, and the memory of the others is not fetched.
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

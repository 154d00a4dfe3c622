import type { UpstreamHold, UpstreamListener, UpstreamRequest } from '../../core/ports.ts';
import { Deadline } from '../../core/timer-wheel.ts';
import { unreachable } from '../delivery.ts';
import { Connection, type ConnectionOptions, type ConnectionOwner } from './connection.ts';
import { Dialer } from './dial.ts';
import { Exchange } from './exchange.ts';
import { RequestTexts } from './request-text.ts';

/** Idle connections kept to one origin, at most. Those that carry calls are bounded by the calls. */
export const MAX_IDLE = 256;

export type PoolOptions = Omit<ConnectionOptions, 'dialer'>;

/**
 * Connections to one origin, each carrying one exchange at a time. The one that was used last is used first, so that those
 * beyond need grow old and go.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #options: ConnectionOptions;
  readonly #texts: RequestTexts;
  readonly #idle: Connection[] = [];
  /** Rings when the first of the idle connections has been idle for too long. */
  readonly #sweep: Deadline;
  readonly #now: () => number;
  #connections = 0;
  #closed: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(origin: string, options: PoolOptions) {
    this.#options = { ...options, dialer: new Dialer(origin) };
    this.#texts = new RequestTexts(new URL(origin).host);
    this.#now = options.wheel.now;
    this.#sweep = new Deadline(options.wheel, () => this.#dropOld());
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** @param prefix what the address has in front of the request's path */
  send(request: UpstreamRequest, prefix: string, listener: UpstreamListener): UpstreamHold {
    const exchange = new Exchange(listener);
    let head: string;
    try {
      head = this.#texts.headOf(request, prefix);
    } catch (error) {
      exchange.onFailure(unreachable(error));
      return exchange;
    }
    const connection = this.#takeIdle() ?? this.#connect();
    connection.carry(exchange, head, request.body);
    return exchange;
  }

  /** Closes what is idle now and what becomes idle; resolves when no connection is left. */
  close(): Promise<void> {
    if (this.#closed !== null) return this.#closed.promise;
    this.#closed = Promise.withResolvers<void>();
    this.#sweep.clear();
    for (const connection of this.#idle.splice(0)) connection.drop();
    if (this.#connections === 0) this.#closed.resolve();
    return this.#closed.promise;
  }

  onFree(connection: Connection): void {
    if (this.#closed !== null || this.#idle.length >= MAX_IDLE) return connection.drop();
    connection.idleUntil = this.#now() + connection.keepAliveMs;
    this.#idle.push(connection);
    if (!this.#sweep.isSet || connection.idleUntil < this.#sweep.dueAt) this.#sweep.setAt(connection.idleUntil);
  }

  onGone(connection: Connection): void {
    const at = this.#idle.lastIndexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#connections -= 1;
    if (this.#connections === 0) this.#closed?.resolve();
  }

  #takeIdle(): Connection | null {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      // The sweep may be late where the process was busy.
      if (last.usable && last.idleUntil > this.#now()) return last;
      last.drop();
    }
    return null;
  }

  #connect(): Connection {
    this.#connections += 1;
    return new Connection(this.#options, this);
  }

  #dropOld(): void {
    const now = this.#now();
    const kept = this.#idle.filter(({ idleUntil }) => idleUntil > now);
    const old = this.#idle.filter(({ idleUntil }) => idleUntil <= now);
    this.#idle.splice(0, this.#idle.length, ...kept);
    for (const connection of old) connection.drop();
    if (kept.length > 0) this.#sweep.setAt(Math.min(...kept.map(({ idleUntil }) => idleUntil)));
  }
}

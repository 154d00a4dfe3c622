import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../core/errors.ts';
import type { DisconnectReason } from '../core/ports.ts';
import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';
import type { Front } from './answer-headers.ts';
import { answerByHand } from './broken-request.ts';

/** Limits of caller connections. Times in ms, sizes in bytes. */
export type ConnectionLimits = {
  /** A caller must read some waiting bytes within `idle`, and each byte within `total`. */
  idle: number;
  total: number;
  /** Unread bytes of answers, over all callers. */
  maxUnread: number;
  /** Connections without a request in progress. */
  maxIdleConnections: number;
};

export type CallerConnectionsParts = {
  limits(): ConnectionLimits;
  front: Front;
  /** Called for each disconnected caller, with the reason. */
  onDisconnected(why: DisconnectReason): void;
};

/** How often connections are checked for progress; more often if `idle` is short. */
const LOOK_MS = 1000;
const LEAST_LOOK_MS = 10;
/** The most pipelined requests of a connection; beyond it the connection is closed. */
const MAX_PIPELINED = 100;
/** File handles reserved for the store, the log and DNS look-ups. */
const OTHER_HANDLES = 128;

/**
 * The most caller connections for a number of file handles. Each may need a second one to a vendor.
 *
 * @param handles `null`: unknown, so that only settings apply
 */
function mostConnections(handles: number | null): number {
  return handles === null ? Number.POSITIVE_INFINITY : Math.max(2, Math.floor((handles - OTHER_HANDLES) / 2));
}

/** The file handle limit of this process; `null` if unknown. */
export function fileHandles(): number | null {
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork = false } = report;
  // Otherwise the report resolves the host name of each peer.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  report.excludeNetwork = excludeNetwork;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** A caller's connection on either layer: its unread bytes, and whether a request is in progress. */
export class CallerConnection {
  readonly socket: Socket;
  /** For Node's layer: open answers, in the order of their requests. */
  readonly answers: ServerResponse[] = [];
  /** Its list and neighbours while idle, changed only by `IdleConnections`. */
  idleIn: IdleConnections | null = null;
  older: CallerConnection | null = null;
  newer: CallerConnection | null = null;
  /** True if a request on it had a valid key. */
  known = false;
  /** Times in ms since any byte was read, and since the oldest unread byte was written. */
  quiet = 0;
  waited = 0;
  #taken = 0;
  /** Bytes written in total when `waited` began. */
  #mark = Number.NaN;
  #waits = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Unread bytes. Pipelined answers behind another one have not reached the socket yet. */
  get unread(): number {
    let bytes = this.socket.writableLength;
    for (const answer of this.answers) if (answer.socket === null) bytes += answer.writableLength;
    return bytes;
  }

  /** Checks progress in the last `elapsed` ms. @returns the unread bytes */
  look(elapsed: number): number {
    const { unread } = this;
    const waited = this.#waits;
    this.#waits = unread > 0;
    if (unread === 0) return 0;
    const taken = takenOf(this.socket);
    this.quiet = waited && taken <= this.#taken ? this.quiet + elapsed : 0;
    this.#taken = taken;
    const allTaken = !waited || taken >= this.#mark;
    this.waited = allTaken ? 0 : this.waited + elapsed;
    if (allTaken) this.#mark = this.socket.bytesWritten;
    return unread;
  }
}

/**
 * Connections without a request, oldest first: a list and no `Set`
 * (docs/decisions/2026-11-23-calls-pass-through-no-set.md).
 */
class IdleConnections {
  size = 0;
  oldest: CallerConnection | null = null;
  #newest: CallerConnection | null = null;

  add(connection: CallerConnection): void {
    connection.idleIn = this;
    connection.older = this.#newest;
    if (this.#newest === null) this.oldest = connection;
    else this.#newest.newer = connection;
    this.#newest = connection;
    this.size += 1;
  }

  remove(connection: CallerConnection): void {
    const { older, newer } = connection;
    if (older === null) this.oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    connection.older = null;
    connection.newer = null;
    connection.idleIn = null;
    this.size -= 1;
  }
}

/**
 * All connections of callers, on either layer. A caller that does not read its answer is disconnected, and so are connections
 * without a request where there are too many.
 *
 * /!\ Hot path: a request takes its connection out of a list and puts it back; who takes what is looked at for all at once.
 */
export class CallerConnections {
  readonly #parts: CallerConnectionsParts;
  readonly #all = new Map<Socket, CallerConnection>();
  /** Idle connections, oldest first: of callers with a valid key, and of others. */
  readonly #known = new IdleConnections();
  readonly #strangers = new IdleConnections();
  readonly #most: number;
  readonly #look: Deadline;
  readonly #now: () => number;
  #lookedAt = 0;

  constructor(parts: CallerConnectionsParts, wheel: TimerWheel, handles: number | null) {
    this.#parts = parts;
    this.#most = mostConnections(handles);
    this.#now = wheel.monotonic;
    this.#look = new Deadline(wheel, () => this.#lookAtAll());
  }

  /** Becomes the first listener for the server's connections. Must be called once, before the server listens. */
  watch(server: Server): void {
    const takers = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#add(socket)) for (const taker of takers) taker.call(server, socket);
    });
    server.prependListener('request', (request, response) => this.#asked(request, response));
    // An error that Node finds on the connection cannot be sent in the middle of an answer.
    server.prependListener('clientError', (_error, socket) => {
      const answers = [...(this.of(socket as Socket)?.answers ?? [])];
      if (answers.some(({ headersSent, writableEnded }) => headersSent && !writableEnded)) socket.destroy();
    });
  }

  /** True if an open connection has not received any bytes yet. */
  get awaitFirst(): boolean {
    for (let next = this.#strangers.oldest; next !== null; next = next.newer)
      if (next.socket.bytesRead === 0) return true;
    return false;
  }

  of(socket: Socket): CallerConnection | undefined {
    return this.#all.get(socket);
  }

  /** Its caller has sent a valid key. */
  welcome(socket: Socket): void {
    const connection = this.of(socket);
    if (connection !== undefined) connection.known = true;
  }

  /** A request has begun to arrive. */
  begin(connection: CallerConnection): void {
    connection.idleIn?.remove(connection);
  }

  /** No request is in progress. It becomes the newest idle connection. */
  rest(connection: CallerConnection): void {
    if (!this.#all.has(connection.socket)) return;
    this.begin(connection);
    (connection.known ? this.#known : this.#strangers).add(connection);
    const most = Math.min(this.#parts.limits().maxIdleConnections, Math.floor(this.#most / 2));
    if (this.#known.size + this.#strangers.size > most) this.#letGo(this.#oldestIdle(most), 'idle');
  }

  /** @returns true if there is room for it */
  #add(socket: Socket): boolean {
    if (this.#all.size >= this.#most) {
      const oldest = this.#oldestIdle(this.#most);
      if (oldest === null) return this.#refuse(socket);
      this.#letGo(oldest, 'connections');
    }
    const connection = new CallerConnection(socket);
    this.#all.set(socket, connection);
    socket.once('close', () => this.#closed(connection));
    this.rest(connection);
    if (!this.#look.isSet) this.#lookAgain();
    return true;
  }

  /**
   * Connections with a valid key and others have half of the places each, if both want them, so that neither can push out
   * the other.
   */
  #oldestIdle(most: number): CallerConnection | null {
    const from = this.#strangers.size > most / 2 || this.#known.size === 0 ? this.#strangers : this.#known;
    return from.oldest;
  }

  #refuse(socket: Socket): false {
    const message = 'The gateway has reached its limit of open connections; try again.';
    socket.on('error', () => undefined);
    answerByHand(new GatewayError('overloaded', message, { retryAfterMs: 1000 }), socket, this.#parts.front);
    socket.destroySoon();
    this.#parts.onDisconnected('connections');
    return false;
  }

  /** Node has read a request's head. */
  #asked({ socket }: IncomingMessage, answer: ServerResponse): void {
    const connection = this.of(socket);
    if (connection === undefined) return;
    this.begin(connection);
    connection.answers.push(answer);
    answer.once('close', () => {
      connection.answers.splice(connection.answers.indexOf(answer), 1);
      if (connection.answers.length === 0) this.rest(connection);
    });
    if (connection.answers.length > MAX_PIPELINED) socket.destroy();
  }

  #closed(connection: CallerConnection): void {
    this.#forget(connection);
    for (const answer of [...connection.answers]) {
      if (answer.socket !== null) continue;
      // It waited for an earlier answer, so Node emits no event for it.
      answer.destroy();
      answer.emit('close');
    }
  }

  #forget(connection: CallerConnection): void {
    this.#all.delete(connection.socket);
    this.begin(connection);
  }

  #letGo(connection: CallerConnection | null, why: DisconnectReason): void {
    if (connection === null) return;
    this.#forget(connection);
    connection.socket.destroy();
    this.#parts.onDisconnected(why);
  }

  #lookAtAll(): void {
    const { idle, total, maxUnread } = this.#parts.limits();
    const now = this.#now();
    // While this process was suspended, no caller could read anything.
    const elapsed = Math.min(now - this.#lookedAt, 2 * this.#lookMs());
    const waiting: CallerConnection[] = [];
    let unread = 0;
    for (const connection of this.#all.values()) {
      const bytes = connection.look(elapsed);
      if (bytes === 0) continue;
      if (connection.quiet >= idle || connection.waited >= total) {
        this.#letGo(connection, 'not_read');
        continue;
      }
      waiting.push(connection);
      unread += bytes;
    }
    if (unread > maxUnread) this.#relieve(waiting, unread - maxUnread);
    if (this.#all.size > 0) this.#lookAgain();
  }

  /**
   * Disconnects the callers that have read nothing for longest, until that many fewer bytes wait; never the last one, nor
   * one that has only begun.
   */
  #relieve(waiting: CallerConnection[], excess: number): void {
    const slow = waiting.filter(({ quiet, waited }) => quiet + waited > 0);
    slow.sort((one, other) => other.quiet - one.quiet || other.waited - one.waited);
    let left = excess;
    for (const connection of slow.slice(0, waiting.length - 1)) {
      if (left <= 0) return;
      left -= connection.unread;
      this.#letGo(connection, 'unread');
    }
  }

  #lookAgain(): void {
    this.#lookedAt = this.#now();
    this.#look.set(this.#lookMs());
  }

  #lookMs(): number {
    return Math.max(LEAST_LOOK_MS, Math.min(LOOK_MS, this.#parts.limits().idle / 4));
  }
}

/** How far the writing of a socket has come. Not a documented interface; Node itself detects slow peers by it. */
type SocketHandle = { bytesWritten?: number; writeQueueSize?: number };

/** Bytes of a socket that its peer's kernel or ours has taken; where that cannot be told, a number that grows with them. */
function takenOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as { _handle?: SocketHandle | null })._handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) return -socket.writableLength;
  return bytesWritten - writeQueueSize;
}

import type { Socket } from 'node:net';
import type { UpstreamHeaders } from '../../core/ports.ts';
import { Deadline, type TimerWheel } from '../../core/timer-wheel.ts';
import { disconnected, unreachable, unreadable } from '../delivery.ts';
import type { Dialer } from './dial.ts';
import type { Exchange } from './exchange.ts';
import { keepAliveHint } from './head.ts';
import { MalformedAnswer } from './malformed.ts';
import { ResponseReader, type ResponseSink } from './reader.ts';

export type ConnectionOptions = {
  dialer: Dialer;
  wheel: TimerWheel;
  /** How long the connection may take to be made, in ms. */
  connectTimeoutMs: number;
  /** Bytes of a response's head. */
  maxHeaderBytes: number;
};

/** Who is told what becomes of a connection. */
export type ConnectionOwner = {
  /** It has carried its exchange to the end, and can carry another. */
  onFree(connection: Connection): void;
  /** It is gone, whatever it was doing. Called once. */
  onGone(connection: Connection): void;
};

/** What is read from plain sockets, for all of them: a read is over before the next one begins. */
const INCOMING = Buffer.allocUnsafeSlow(64 * 1024);

/** How long an idle connection is kept whose vendor does not say for how long it keeps it, in ms. */
const KEEP_ALIVE_MS = 4_000;
/** However long a vendor says that it keeps it. */
const MAX_KEEP_ALIVE_MS = 600_000;
/** Bytes of a request that its answer may overtake, and how long they may then take, in ms. */
const MAX_UNTOLD = 64 * 1024;
const TOLD_MS = 1_000;
/** A connection is given up this long before its vendor does it, in ms: a request must not meet the end of it. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/**
 * One socket to a vendor, and the one exchange that it carries at a time. While it carries none, nothing may come: bytes
 * that nobody asked for end it, or they would be read as the answer to the next request.
 *
 * /!\ Hot path: an exchange makes no promise, closure or timer here.
 */
export class Connection implements ResponseSink {
  /** How long it may lie idle behind the exchange that it carried last, in ms, and until when (monotonic ms). */
  keepAliveMs = 0;
  idleUntil = 0;
  readonly #owner: ConnectionOwner;
  readonly #secure: boolean;
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  /** For the connection to be made, or the last bytes of a request to be told as written. */
  readonly #late: Deadline;
  #open = false;
  #paused = false;
  /** Its exchange is over, and it waits to be told that all of the request was written. */
  #freeing = false;
  #exchange: Exchange | null = null;
  #head = '';
  #body: Buffer | null = null;
  #error: Error | null = null;

  constructor(options: ConnectionOptions, owner: ConnectionOwner) {
    const { dialer, wheel, connectTimeoutMs, maxHeaderBytes } = options;
    this.#owner = owner;
    this.#secure = dialer.secure;
    this.#reader = new ResponseReader(this, maxHeaderBytes);
    this.#socket = this.#secure
      ? dialer.tls()
      : dialer.plain({ buffer: INCOMING, callback: (n) => this.#readShared(n) });
    this.#late = new Deadline(wheel, () =>
      this.#socket.destroy(
        new Error(
          this.#open ? 'the request was not told as written' : `the connection was not made in ${connectTimeoutMs} ms`,
        ),
      ),
    );
    this.#late.set(connectTimeoutMs);
    this.#socket
      .on(this.#secure ? 'secureConnect' : 'connect', () => this.#opened())
      .on('end', () => this.#ended())
      .on('error', (error) => {
        this.#error = error;
      })
      .on('close', () => this.#closed());
    if (this.#secure) this.#socket.on('data', (bytes: Buffer) => this.#read(bytes, bytes.length));
  }

  /** It can carry an exchange. Between its end and `onGone` the event loop may go on to calls that look for a connection. */
  get usable(): boolean {
    return this.#exchange === null && this.#socket.writable && !this.#socket.destroyed;
  }

  /** Sends a request, once there is a connection: before that not a byte of it leaves. */
  carry(exchange: Exchange, head: string, body: Buffer | null): void {
    exchange.connection = this;
    this.#exchange = exchange;
    this.#head = head;
    this.#body = body;
    this.keepAliveMs = KEEP_ALIVE_MS;
    this.#reader.begin();
    if (this.#open) this.#write();
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume();
  }

  /** Ends the connection at once. Its exchange, if it has one, hears nothing of it. */
  drop(): void {
    this.#exchange = null;
    this.#socket.destroy();
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    const seconds = keepAliveHint(headers);
    if (seconds !== null) this.keepAliveMs = Math.min(seconds * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
    this.#exchange?.onStart(status, headers);
  }

  onBody(bytes: Buffer, from: number, to: number): void {
    this.#exchange?.onData(this.#secure ? bytes.subarray(from, to) : copyOf(bytes, from, to));
  }

  onComplete(): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#release(exchange);
    const unsent = this.#socket.writableLength;
    if (!this.#reader.reusable || this.keepAliveMs <= 0 || this.#socket.destroyed) this.#socket.destroy();
    else if (unsent === 0) this.#free();
    else if (this.#secure && unsent <= MAX_UNTOLD) this.#freeOnceTold();
    else this.#socket.destroy();
    exchange.onEnd();
  }

  #free(): void {
    if (this.#paused) this.resume();
    this.#owner.onFree(this);
  }

  /** TLS tells of a write a turn after it was done, and a vendor that is near may have answered by then. */
  #freeOnceTold(): void {
    this.#freeing = true;
    this.#late.set(TOLD_MS);
  }

  readonly #onWritten = (error: Error | null | undefined): void => {
    if (!this.#freeing || error) return;
    this.#freeing = false;
    this.#late.clear();
    this.#free();
  };

  #opened(): void {
    this.#late.clear();
    this.#open = true;
    if (this.#exchange !== null) this.#write();
  }

  /** Measured: two writes in one system call are as cheap as one string for a small body, and cheaper for a large one. */
  #write(): void {
    const socket = this.#socket;
    const body = this.#body;
    const told = this.#secure ? this.#onWritten : undefined;
    if (body === null || body.length === 0) {
      socket.write(this.#head, 'latin1', told);
    } else {
      socket.cork();
      socket.write(this.#head, 'latin1');
      socket.write(body, told);
      socket.uncork();
    }
    this.#head = '';
    this.#body = null;
  }

  #readShared(length: number): boolean {
    this.#read(INCOMING, length);
    return true;
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#exchange === null) return this.drop();
    try {
      this.#reader.push(bytes, length);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** What the vendor sent cannot be read, or a listener failed over it: its call must have an end all the same. */
  #refuse(error: unknown): void {
    const exchange = this.#exchange;
    this.drop();
    if (exchange === null || exchange.over) throw error;
    this.#release(exchange);
    exchange.onFailure(error instanceof MalformedAnswer ? unreadable(error) : disconnected(error));
  }

  /** The vendor will send no more. */
  #ended(): void {
    if (this.#exchange !== null && this.#reader.end()) return;
    this.#error ??= new Error('the vendor closed the connection');
    this.#socket.destroy();
  }

  #closed(): void {
    this.#late.clear();
    const exchange = this.#exchange;
    this.#owner.onGone(this);
    if (exchange === null) return;
    this.#release(exchange);
    const cause = this.#error ?? new Error('the connection was closed');
    exchange.onFailure(this.#open ? disconnected(cause) : unreachable(cause));
  }

  #release(exchange: Exchange): void {
    this.#exchange = null;
    exchange.connection = null;
  }
}

/** Small copies are slices of memory that Node.js keeps ready. */
function copyOf(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}

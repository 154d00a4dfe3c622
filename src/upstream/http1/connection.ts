import type { Socket } from 'node:net';
import type { UpstreamHeaders } from '../../core/ports.ts';
import { Deadline, type TimerWheel } from '../../deadlines/timer-wheel.ts';
import { type ConnectionOwner, type PooledConnection, RESEND_WITHIN_MS, valuesFor } from '../connections.ts';
import { asciiIn, disconnected, unreachable, unreadable } from '../delivery.ts';
import type { Dialer } from './dial.ts';
import { keepAliveHint } from './head.ts';
import { MalformedAnswer } from './malformed.ts';
import { Http1ResponseReader, type ResponseSink } from './reader.ts';
import type { Http1Request } from './request.ts';

export type ConnectionOptions = {
  dialer: Dialer;
  wheel: TimerWheel;
  /** The longest time to connect, in ms. */
  connectTimeoutMs: number;
  /** The most bytes of a response's head. */
  maxHeaderBytes: number;
};

/** The buffer for reads from all plain sockets: each read is processed before the next one. */
const INCOMING = Buffer.allocUnsafeSlow(64 * 1024);

/** The largest body that is copied behind its head, in bytes. */
const MAX_COPIED = 16 * 1024;

/**
 * The largest unsent rest of a request, in bytes, that may still be written after its answer has ended, and how long
 * that may take, in ms.
 */
const MAX_UNCONFIRMED = 64 * 1024;
const CONFIRM_MS = 1_000;

/**
 * One socket to a vendor, and the one exchange that it carries at a time. Bytes that arrive without an exchange close
 * it, because they would be read as the answer to the next request.
 *
 * /!\ Hot path: an exchange creates no promise, closure or timer here.
 */
export class Http1Connection implements ResponseSink, PooledConnection<Http1Request> {
  keepAliveMs = 0;
  idleSince = 0;
  idleUntil = 0;
  idleTurn = 0;
  readonly #owner: ConnectionOwner<Http1Request>;
  readonly #now: () => number;
  readonly #secure: boolean;
  readonly #socket: Socket;
  readonly #reader: Http1ResponseReader;
  /** The deadline for connecting, or for the last bytes of a request to be written. */
  readonly #late: Deadline;
  #open = false;
  #paused = false;
  /** The exchange has ended, but the socket has not yet confirmed that the whole request was written. */
  #freeing = false;
  #exchange: Http1Request | null = null;
  /** True if it has completed an exchange. */
  #used = false;
  /** True if nothing has arrived since the current exchange began. */
  #silent = true;
  /** When the request was written (monotonic ms). */
  #writtenAt = 0;
  #error: Error | null = null;

  constructor(options: ConnectionOptions, owner: ConnectionOwner<Http1Request>) {
    const { dialer, wheel, connectTimeoutMs, maxHeaderBytes } = options;
    this.#owner = owner;
    this.#now = wheel.monotonic;
    this.#secure = dialer.secure;
    this.#reader = new Http1ResponseReader(this, maxHeaderBytes);
    this.#socket = this.#secure
      ? dialer.tls()
      : dialer.plain({ buffer: INCOMING, callback: (n) => this.#readShared(n) });
    this.#late = new Deadline(wheel, () =>
      this.#socket.destroy(
        new Error(
          this.#open
            ? 'the request was not confirmed as written'
            : `the connection was not made in ${connectTimeoutMs} ms`,
        ),
      ),
    );
    this.#late.set(connectTimeoutMs);
    this.#socket
      .on(this.#secure ? 'secureConnect' : 'connect', () => this.#opened())
      .on('end', () => this.#ended())
      .on('error', (error) => this.#broke(error))
      .on('close', () => this.#closed());
    if (this.#secure) this.#socket.on('data', (bytes: Buffer) => this.#read(bytes, bytes.length));
  }

  get usable(): boolean {
    return this.#exchange === null && this.#socket.writable && !this.#socket.destroyed;
  }

  /** Sends a request once connected; nothing of it is sent before. */
  carry(exchange: Http1Request): void {
    exchange.connection = this;
    this.#exchange = exchange;
    this.#silent = true;
    this.#reader.begin();
    if (exchange.held) this.pause();
    if (this.#open) this.#write(exchange);
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume();
  }

  drop(): void {
    this.#exchange = null;
    this.#socket.destroy();
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.keepAliveMs = valuesFor(keepAliveHint(headers));
    this.#exchange?.onStart(status, headers);
  }

  onBody(bytes: Buffer, from: number, to: number): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    const text = exchange.takesText ? asciiIn(bytes, from, to) : null;
    if (text !== null) exchange.onText(text);
    else exchange.onData(this.#secure ? bytes.subarray(from, to) : copyOf(bytes, from, to));
  }

  onComplete(): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#release(exchange);
    this.#used = true;
    if (this.#reader.surplus) this.#owner.onSurplus();
    const unsent = this.#socket.writableLength;
    if (!this.#reader.reusable || this.keepAliveMs <= 0 || this.#socket.destroyed) this.#socket.destroy();
    else if (unsent === 0) this.#free();
    else if (this.#secure && unsent <= MAX_UNCONFIRMED) this.#freeOnceWritten();
    else this.#socket.destroy();
    exchange.onEnd();
  }

  #free(): void {
    if (this.#paused) this.resume();
    this.#owner.onFree(this);
  }

  /** Waits for the write callback: TLS calls it a turn after the write, and a close vendor may have answered by then. */
  #freeOnceWritten(): void {
    this.#freeing = true;
    this.#late.set(CONFIRM_MS);
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
    if (this.#exchange !== null) this.#write(this.#exchange);
  }

  /** A small body is copied behind its head: one piece costs less than two that are written together, and a large copy more. */
  #write(exchange: Http1Request): void {
    const { head, body } = exchange;
    const socket = this.#socket;
    exchange.unsent = false;
    const told = this.#secure ? this.#onWritten : undefined;
    if (body === null || body.length === 0) {
      socket.write(head, 'latin1', told);
    } else if (body.length <= MAX_COPIED) {
      const request = Buffer.allocUnsafe(head.length + body.length);
      body.copy(request, request.write(head, 'latin1'));
      socket.write(request, told);
    } else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body, told);
      socket.uncork();
    }
    if (this.#used) this.#writtenAt = this.#now();
  }

  #readShared(length: number): boolean {
    this.#read(INCOMING, length);
    return true;
  }

  #read(bytes: Buffer, length: number): void {
    if (this.#exchange === null) {
      // A TLS socket gives out what it had read before it was destroyed: that is of the call that was let go.
      if (!this.#socket.destroyed) this.#owner.onSurplus();
      return this.drop();
    }
    if (this.#silent) {
      this.#silent = false;
      this.#exchange.body = null;
    }
    try {
      this.#reader.push(bytes, length);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Ends the call after a malformed answer, or a fault in reading it. */
  #refuse(error: unknown): void {
    const exchange = this.#exchange;
    this.drop();
    if (exchange === null || exchange.over) {
      // The listener let the call go while this piece was read, and nobody waits for the rest of it.
      if (error instanceof MalformedAnswer) return;
      throw error;
    }
    this.#release(exchange);
    exchange.onFailure(error instanceof MalformedAnswer ? unreadable(error) : disconnected(error));
  }

  /** The vendor closed its side. Node hides whether TLS was closed properly, so the body's length must be checked. */
  #ended(): void {
    if (this.#exchange !== null && this.#reader.end()) return;
    this.#error ??= new Error('the vendor closed the connection');
    this.#socket.destroy();
  }

  /** After a broken TLS record Node leaves the socket open, but reads nothing more from it. */
  #broke(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #closed(): void {
    this.#late.clear();
    const exchange = this.#exchange;
    if (exchange === null) return this.#owner.onGone(this);
    this.#release(exchange);
    if (this.#used && this.#silent && this.#now() - this.#writtenAt <= RESEND_WITHIN_MS) {
      this.#owner.onUnanswered(exchange);
      return this.#owner.onGone(this);
    }
    this.#owner.onGone(this);
    const cause = this.#error ?? new Error('the connection was closed');
    exchange.onFailure(this.#open ? disconnected(cause) : unreachable(cause));
  }

  #release(exchange: Http1Request): void {
    this.#exchange = null;
    exchange.connection = null;
  }
}

/** Copies bytes. Small copies come from Node.js's preallocated pool. */
function copyOf(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}

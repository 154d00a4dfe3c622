import type { GatewayError } from '../../core/errors.ts';
import type { ServedBy } from '../../core/ports.ts';
import { MAX_JOINED } from '../answer.ts';
import type { BodyAnswer } from '../door.ts';
import { type Exchange, errorHeaders } from '../exchange.ts';
import type { HeadWriter } from './answer-head.ts';

/** What an answer needs of its connection. */
export type AnswerWire = {
  readonly heads: HeadWriter;
  /** Text in which each character is one byte. `false` asks to wait for the drain. */
  writeLatin1(text: string): boolean;
  writeUtf8(text: string): boolean;
  /** Three pieces in one write. */
  writeAround(before: string, bytes: Buffer, behind: string): boolean;
  /** Called once, after the last byte was written. */
  answered(streamed: boolean): void;
};

const NONE: readonly string[] = [];
const LAST_CHUNK = '0\r\n\r\n';

/**
 * The way back to the caller over a socket of our own. Once it has ended, or its caller has left, it has no connection
 * any more: nothing that is called late can reach the next answer.
 *
 * /!\ Hot path: `write` runs for every frame of every stream. A frame with its chunk's framing is one write.
 */
export class SocketAnswer implements BodyAnswer {
  served: ServedBy | null = null;
  gone = false;
  begun = false;
  readonly #exchange: Exchange;
  #wire: AnswerWire | null;
  /** The head of a stream, until it leaves with the first frame. */
  #head = '';
  #onGone: (() => void) | null = null;
  #onDrain: (() => void) | null = null;

  constructor(exchange: Exchange, wire: AnswerWire) {
    this.#exchange = exchange;
    this.#wire = wire;
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
    if (this.gone) listener();
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  whole(status: number, body: Buffer | string): void {
    this.#send(status, body, NONE);
  }

  error(error: GatewayError, body: string): void {
    this.#send(error.status, body, errorHeaders(error));
  }

  begin(): void {
    if (this.#wire === null) return;
    this.begun = true;
    this.#head = this.#wire.heads.stream(this.#exchange, this.served);
  }

  write(frame: Buffer | string): boolean {
    if (this.#wire === null || frame.length === 0) return true;
    return this.#writeChunk(this.#wire, frame, '\r\n');
  }

  end(last: Buffer | string): void {
    const wire = this.#wire;
    if (wire === null) return;
    this.#wire = null;
    if (last.length > 0) this.#writeChunk(wire, last, `\r\n${LAST_CHUNK}`);
    else wire.writeLatin1(this.#takeHead() + LAST_CHUNK);
    wire.answered(true);
  }

  /** For the connection alone: the caller takes bytes again. */
  drained(): void {
    this.#onDrain?.();
  }

  /** For the connection alone: the caller has left. */
  left(): void {
    if (this.#wire === null) return;
    this.#wire = null;
    this.gone = true;
    this.#onGone?.();
  }

  #send(status: number, body: Buffer | string, more: readonly string[]): void {
    const wire = this.#wire;
    if (wire === null) return;
    this.#wire = null;
    const length = byteLength(body);
    const head = wire.heads.whole(this.#exchange, this.served, status, more, length);
    // An answer of these kinds has no body, whatever its head says.
    if (status === 204 || status === 304) wire.writeLatin1(head);
    else writeJoined(wire, head, body, length, '');
    wire.answered(false);
  }

  #writeChunk(wire: AnswerWire, frame: Buffer | string, behind: string): boolean {
    const length = byteLength(frame);
    return writeJoined(wire, `${this.#takeHead()}${length.toString(16)}\r\n`, frame, length, behind);
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }
}

/** Writes all three as one. `before` and `behind` are ASCII. */
function writeJoined(wire: AnswerWire, before: string, body: Buffer | string, length: number, behind: string): boolean {
  if (typeof body !== 'string') {
    if (length > MAX_JOINED) return wire.writeAround(before, body, behind);
    return wire.writeLatin1(before + body.toString('latin1') + behind);
  }
  // As many bytes as characters: all of it is ASCII.
  return length === body.length ? wire.writeLatin1(before + body + behind) : wire.writeUtf8(before + body + behind);
}

function byteLength(body: Buffer | string): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

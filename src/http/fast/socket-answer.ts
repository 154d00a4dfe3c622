import type { GatewayError } from '../../core/errors.ts';
import type { ServedBy } from '../../core/provider.ts';
import { MAX_JOINED } from '../answer.ts';
import { errorHeaders, type RequestContext } from '../answer-headers.ts';
import type { BodyAnswer } from '../incoming-call.ts';
import type { HeadWriter } from './answer-head.ts';

/** The connection of an answer. Texts have one character per byte. */
export type AnswerWire = {
  readonly heads: HeadWriter;
  /** `false`: wait for the drain. */
  write(text: string): boolean;
  /** Writes all three in one write. */
  writeAround(before: string, bytes: Buffer, behind: string): boolean;
  /** Writes the end of an answer. `false`: the caller has not read all of it. */
  end(text: string): boolean;
};

const NONE: readonly string[] = [];
const LAST_CHUNK = '0\r\n\r\n';
/** The size lines of small chunks, by size. */
const SIZES: readonly string[] = Array.from({ length: 1024 }, (_, size) => sizeLine(size));

/**
 * The way back to the caller over a socket of our own. Once it has ended, or its caller has left, it has no connection
 * any more: nothing that is called late can reach the next answer.
 *
 * /!\ Hot path: `write` runs for every frame of every stream.
 */
export class SocketAnswer implements BodyAnswer {
  gone = false;
  begun = false;
  unread = false;
  readonly #context: RequestContext;
  #wire: AnswerWire | null;
  /** The head of a stream, until it is sent with the first frame. */
  #head = '';
  #onGone: (() => void) | null = null;
  #onDrain: (() => void) | null = null;
  #onTaken: (() => void) | null = null;

  constructor(context: RequestContext, wire: AnswerWire) {
    this.#context = context;
    this.#wire = wire;
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
    if (this.gone) listener();
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  onTaken(listener: () => void): void {
    this.#onTaken = listener;
  }

  whole(status: number, body: Buffer | string, served: ServedBy | null = null): void {
    this.#send(status, body, served, NONE);
  }

  error(error: GatewayError, body: string): void {
    this.#send(error.status, body, error.served, errorHeaders(error));
  }

  begin(served: ServedBy | null = null): void {
    if (this.#wire === null) return;
    this.begun = true;
    this.#head = this.#wire.heads.stream(this.#context, served);
  }

  write(frame: Buffer | string): boolean {
    if (this.#wire === null || frame.length === 0) return true;
    return writeChunk(this.#wire, this.#takeHead(), bytesOf(frame));
  }

  end(last: Buffer | string): void {
    const wire = this.#wire;
    if (wire === null) return;
    this.#wire = null;
    const head = this.#takeHead();
    const bytes = bytesOf(last);
    if (bytes.length === 0) return this.#last(wire, head + LAST_CHUNK);
    if (isLong(bytes)) {
      writeChunk(wire, head, bytes);
      return this.#last(wire, LAST_CHUNK);
    }
    this.#last(wire, chunkOf(head, bytes) + LAST_CHUNK);
  }

  /** For the connection only: the caller reads again. */
  drained(): void {
    this.#onDrain?.();
  }

  /** For the connection only: waiting bytes were read, or never will be. */
  taken(): void {
    if (!this.unread) return;
    this.unread = false;
    this.#onTaken?.();
  }

  /** For the connection only: the caller has disconnected. */
  left(): void {
    if (this.#wire === null) return;
    this.#wire = null;
    this.gone = true;
    this.#onGone?.();
  }

  #send(status: number, body: Buffer | string, served: ServedBy | null, more: readonly string[]): void {
    const wire = this.#wire;
    if (wire === null) return;
    this.#wire = null;
    const bytes = bytesOf(body);
    const head = wire.heads.whole(this.#context, served, { status, more, length: bytes.length });
    // Answers with these statuses have no body.
    if (status === 204 || status === 304) return this.#last(wire, head);
    if (typeof bytes === 'string') return this.#last(wire, head + bytes);
    if (bytes.length <= MAX_JOINED) return this.#last(wire, head + bytes.toString('latin1'));
    wire.writeAround(head, bytes, '');
    this.#last(wire, '');
  }

  #last(wire: AnswerWire, text: string): void {
    this.unread = !wire.end(text);
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }
}

/** Writes a frame as one chunk, in one write. */
function writeChunk(wire: AnswerWire, head: string, frame: Buffer | string): boolean {
  if (isLong(frame)) return wire.writeAround(head + sizeOf(frame), frame, '\r\n');
  return wire.write(chunkOf(head, frame));
}

function chunkOf(head: string, frame: Buffer | string): string {
  return `${head}${sizeOf(frame)}${typeof frame === 'string' ? frame : frame.toString('latin1')}\r\n`;
}

function sizeOf({ length }: Buffer | string): string {
  return SIZES[length] ?? sizeLine(length);
}

function sizeLine(length: number): string {
  return `${length.toString(16)}\r\n`;
}

/** True if bytes are cheaper sent in a piece of their own than copied into a text. */
function isLong(frame: Buffer | string): frame is Buffer {
  return typeof frame !== 'string' && frame.length > MAX_JOINED;
}

/** The text itself if it is ASCII, otherwise its bytes. */
function bytesOf(text: Buffer | string): Buffer | string {
  if (typeof text !== 'string' || Buffer.byteLength(text) === text.length) return text;
  return Buffer.from(text);
}

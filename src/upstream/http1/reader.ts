import type { UpstreamHeaders } from '../../core/ports.ts';
import { checkTrailers, readResponseHead } from './head.ts';
import { MalformedAnswer } from './malformed.ts';

/** Receives the parts of an answer in this order: one head, pieces of the body, the end. */
export type ResponseSink = {
  onHead(status: number, headers: UpstreamHeaders): void;
  /** `bytes[from, to)` is part of the body. The memory may be reused after this returns. */
  onBody(bytes: Buffer, from: number, to: number): void;
  onComplete(): void;
};

/** The most interim answers (1xx) before the answer. */
const MAX_INTERIM = 8;
/** The most characters of a chunk's first line: its size, and extensions, which are ignored. */
const MAX_CHUNK_LINE = 256;
/** The most hexadecimal digits of a chunk's size, with leading zeros. */
const MAX_SIZE_DIGITS = 12;

const HEAD_END = Buffer.from('\r\n\r\n');
const BEGINNINGS = ['HTTP/1.1 ', 'HTTP/1.0 '];
const BARE_LF = /(?:^|[^\r])\n/;
/** Chunk extensions as in RFC 9112, without quoted values. */
const EXTENSIONS = /^(?:;[!#$%&'*+\-.^_`|~\dA-Za-z]+(?:=[!#$%&'*+\-.^_`|~\dA-Za-z]+)?)*$/;

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;

/** The value of each hexadecimal digit by its byte; 255 for other bytes. */
const HEX = new Uint8Array(256).fill(255);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

type ReaderState =
  | 'idle'
  | 'head'
  | 'length'
  | 'until-close'
  | 'size'
  | 'size-lf'
  | 'chunk'
  | 'chunk-cr'
  | 'chunk-lf'
  | 'trailers';

/**
 * Reads the answers on one connection, one after another, from input split anywhere. Accepts only strict HTTP/1.1: for
 * anything else `push` throws `MalformedAnswer`, and the connection must be closed.
 *
 * /!\ Hot path: chunks that arrived in one piece are moved together in it and passed on as one.
 */
export class Http1ResponseReader {
  readonly #sink: ResponseSink;
  readonly #maxHead: number;
  #state: ReaderState = 'idle';
  #keepAlive = false;
  #surplus = false;
  /** True if chunks are joined. Not in compressed bodies: a decompressor drops all of a piece that has an error. */
  #joins = true;
  /** The part of a head, chunk extensions or trailers that arrived in earlier pieces. */
  #text = '';
  #interim = 0;
  /** Remaining bytes of the body or the current chunk. */
  #left = 0;
  #digits = 0;
  /** The range of the current piece that holds the joined body bytes; empty if both are equal. */
  #from = 0;
  #to = 0;

  /** @param maxHead the most bytes of a head, and of trailers */
  constructor(sink: ResponseSink, maxHead: number) {
    this.#sink = sink;
    this.#maxHead = maxHead;
  }

  /** Must be called when a request is sent. */
  begin(): void {
    this.#state = 'head';
    this.#text = '';
    this.#interim = 0;
  }

  /** True if the answer has ended and the connection can carry another. */
  get reusable(): boolean {
    return this.#state === 'idle' && this.#keepAlive;
  }

  /** True if bytes arrived after the end of the answer. */
  get surplus(): boolean {
    return this.#surplus;
  }

  /**
   * Reads `bytes[0, length)`, and may change them. Bytes after the end of an answer are not read, and make the
   * connection not reusable.
   */
  push(bytes: Buffer, length: number): void {
    const waited = this.#state !== 'idle';
    let at = 0;
    try {
      while (at < length && this.#state !== 'idle') at = this.#step(bytes, at, length);
    } finally {
      // Body bytes before a malformed part are still passed on.
      this.#giveOut(bytes);
    }
    if (at < length) {
      this.#keepAlive = false;
      this.#surplus = true;
    }
    if (waited && this.#state === 'idle') this.#sink.onComplete();
  }

  /**
   * Must be called when the connection closes properly. @returns false if the body was cut off; a body without declared
   * length is complete.
   */
  end(): boolean {
    if (this.#state !== 'until-close') return false;
    this.#keepAlive = false;
    this.#state = 'idle';
    this.#sink.onComplete();
    return true;
  }

  /** Reads on from `at`. @returns the next position */
  #step(bytes: Buffer, at: number, length: number): number {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes, at, length);
      case 'length':
        return this.#body(bytes, at, length, 'idle');
      case 'until-close':
        this.#from = at;
        this.#to = length;
        return length;
      case 'size':
        return this.#size(bytes, at, length);
      case 'size-lf':
        this.#expect(bytes[at], LF);
        this.#text = '';
        this.#state = this.#left === 0 ? 'trailers' : 'chunk';
        return at + 1;
      case 'chunk':
        return this.#body(bytes, at, length, 'chunk-cr');
      case 'chunk-cr':
        this.#expect(bytes[at], CR);
        this.#state = 'chunk-lf';
        return at + 1;
      case 'chunk-lf':
        this.#expect(bytes[at], LF);
        this.#beginChunk();
        return at + 1;
      case 'trailers':
        return this.#trailers(bytes, at, length);
      case 'idle':
        return length;
      default:
        return this.#state satisfies never;
    }
  }

  #head(bytes: Buffer, at: number, length: number): number {
    const end = this.#textEnd(bytes, at, length);
    if (end < 0) {
      this.#checkBeginning();
      return length;
    }
    const head = readResponseHead(this.#text);
    this.#text = '';
    const { status } = head;
    if (status < 200) {
      this.#interim += 1;
      if (head.length !== null || head.chunked || !head.keepAlive) {
        throw new MalformedAnswer('an interim answer has a body or ends the connection');
      }
      if (status === 101) throw new MalformedAnswer('the vendor changed protocols, which nobody asked for');
      if (this.#interim > MAX_INTERIM) throw new MalformedAnswer(`there are more than ${MAX_INTERIM} interim answers`);
      return end;
    }
    const bodiless = status === 204 || status === 304;
    // A vendor that declares a body with this status may also send it, and it would be read as the next answer.
    this.#keepAlive = head.keepAlive && !(bodiless && (head.chunked || (head.length ?? 0) > 0));
    this.#left = head.length ?? 0;
    this.#joins = head.headers['content-encoding'] === undefined;
    if (bodiless || head.length === 0) this.#state = 'idle';
    else if (head.chunked) this.#beginChunk();
    else this.#state = head.length === null ? 'until-close' : 'length';
    this.#sink.onHead(status, head.headers);
    return end;
  }

  /** Reads a part of the body or of a chunk, and joins it to earlier ones of this piece. */
  #body(bytes: Buffer, at: number, length: number, next: ReaderState): number {
    const end = Math.min(at + this.#left, length);
    if (!this.#joins) this.#giveOut(bytes);
    if (this.#from === this.#to) {
      this.#from = at;
      this.#to = end;
    } else {
      bytes.copyWithin(this.#to, at, end);
      this.#to += end - at;
    }
    this.#left -= end - at;
    if (this.#left === 0) this.#state = next;
    return end;
  }

  #beginChunk(): void {
    this.#state = 'size';
    this.#left = 0;
    this.#digits = 0;
    this.#text = '';
  }

  /** Reads the first line of a chunk: its size, and extensions, which are checked and ignored. */
  #size(bytes: Buffer, from: number, length: number): number {
    let at = from;
    if (this.#text === '') {
      for (; at < length; at += 1) {
        const digit = HEX[bytes[at]!]!;
        if (digit === 255) break;
        this.#left = this.#left * 16 + digit;
        this.#digits += 1;
        if (this.#digits > MAX_SIZE_DIGITS) throw new MalformedAnswer('the size of a chunk is too long');
      }
      if (at === length) return at;
      if (this.#digits === 0) throw new MalformedAnswer('a chunk begins without its size');
      if (bytes[at] === CR) {
        this.#state = 'size-lf';
        return at + 1;
      }
      if (bytes[at] !== SEMICOLON) throw new MalformedAnswer('the size of a chunk is malformed');
    }
    const found = bytes.indexOf(CR, at);
    const end = found < 0 || found > length ? length : found;
    this.#text += bytes.toString('latin1', at, end);
    if (this.#text.length > MAX_CHUNK_LINE) throw new MalformedAnswer('the extensions of a chunk are too long');
    if (end === length) return length;
    if (!EXTENSIONS.test(this.#text)) throw new MalformedAnswer('the extensions of a chunk are malformed');
    this.#state = 'size-lf';
    return end + 1;
  }

  #trailers(bytes: Buffer, at: number, length: number): number {
    // Without trailers there is only the blank line.
    if (this.#text === '' && bytes[at] === CR && at + 1 < length && bytes[at + 1] === LF) {
      this.#state = 'idle';
      return at + 2;
    }
    if (this.#text === '\r') {
      this.#expect(bytes[at], LF);
      this.#state = 'idle';
      return at + 1;
    }
    const end = this.#textEnd(bytes, at, length);
    if (end < 0) return length;
    checkTrailers(this.#text);
    this.#state = 'idle';
    return end;
  }

  /** Adds to a text that ends with a blank line. @returns the end's position, or -1 if it has not arrived */
  #textEnd(bytes: Buffer, at: number, length: number): number {
    const before = this.#text.length;
    const found = before === 0 ? bytes.indexOf(HEAD_END, at) : -1;
    if (found >= 0 && found + 4 <= length) {
      this.#grow(bytes.toString('latin1', at, found + 4));
      return found + 4;
    }
    if (before === 0) {
      this.#grow(bytes.toString('latin1', at, length));
      return -1;
    }
    const text = this.#text + bytes.toString('latin1', at, length);
    const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    this.#text = '';
    this.#grow(end < 0 ? text : text.slice(0, end + 4));
    return end < 0 ? -1 : at + end + 4 - before;
  }

  #grow(text: string): void {
    if (text.length > this.#maxHead) throw new MalformedAnswer(`the head is longer than ${this.#maxHead} bytes`);
    this.#text = text;
  }

  /** Refuses bytes that cannot become a valid head at once, instead of at the deadline. */
  #checkBeginning(): void {
    const begun = this.#text.slice(0, BEGINNINGS[0]!.length);
    if (!BEGINNINGS.some((beginning) => beginning.startsWith(begun)) || BARE_LF.test(this.#text)) {
      throw new MalformedAnswer('the answer does not begin as HTTP/1.1');
    }
  }

  #expect(byte: number | undefined, wanted: number): void {
    if (byte !== wanted) throw new MalformedAnswer('a chunk does not end where it should');
  }

  #giveOut(bytes: Buffer): void {
    const from = this.#from;
    const to = this.#to;
    this.#from = 0;
    this.#to = 0;
    if (from < to) this.#sink.onBody(bytes, from, to);
  }
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const LINE_END = Buffer.from('\n');
const BLANK_LINE = Buffer.from('\n\n');
const NAME = 'event: ';
const DATA = 'data: ';

/** An event with its blank line, as it came: bytes, or text that is ASCII alone. */
export type Frame = Buffer | string;

/**
 * Splits a byte stream into server-sent events without changing a byte: the joined frames equal the stream.
 * Lines end in LF, CRLF or CR; a frame ends with its blank line.
 *
 * /!\ Hot path: each byte is looked at once, by `indexOf` if a chunk has no CR, and a frame inside one chunk is not
 * copied. Most chunks are text of whole frames.
 */
export class SseSplitter {
  readonly #maxFrame: number;
  #pending: Buffer[] = [];
  #pendingLength = 0;
  /** True if the current line is empty so far. */
  #lineEmpty = true;
  /** True if the last byte was a CR that ended a line; a following LF belongs to the same line end. */
  #afterCr = false;

  /** @param maxFrame the most bytes of one event */
  constructor(maxFrame: number) {
    this.#maxFrame = maxFrame;
  }

  /** True if the bytes so far end in a CR, whose LF may still arrive. */
  get endedInCr(): boolean {
    return this.#afterCr;
  }

  /** The frames that this chunk, bytes or ASCII, completes. Throws `RangeError` if one is too long. */
  push(piece: Buffer | string): Frame[] {
    if (typeof piece === 'string' && this.#isWholeFrames(piece)) return cutText(piece);
    const chunk = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    const hasCr = chunk.includes(CR);
    const frames: Buffer[] = [];
    const start = hasCr || this.#afterCr ? this.#cutAny(chunk, frames) : this.#cutLf(chunk, frames);
    if (start < chunk.length) {
      const rest = chunk.subarray(start);
      this.#pending.push(rest);
      this.#pendingLength += rest.length;
      if (this.#pendingLength > this.#maxFrame) throw new RangeError(`an event is longer than ${this.#maxFrame} bytes`);
    }
    return frames;
  }

  /** What is left at the end of the stream without a blank line; `null` if nothing. `readRest` interprets it. */
  end(): Buffer | null {
    return this.#pendingLength === 0 ? null : this.#take(Buffer.alloc(0));
  }

  /** True if a text begins where a frame does, and ends where one does. */
  #isWholeFrames(text: string): boolean {
    return (
      this.#pendingLength === 0 &&
      !this.#afterCr &&
      text.length <= this.#maxFrame &&
      text.endsWith('\n\n') &&
      !text.includes('\r')
    );
  }

  #cutLf(chunk: Buffer, frames: Buffer[]): number {
    let start = 0;
    let lineStart = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, lineStart)) {
      if (at === lineStart && this.#lineEmpty) {
        const isWhole = start === 0 && at + 1 === chunk.length;
        frames.push(this.#take(isWhole ? chunk : chunk.subarray(start, at + 1)));
        start = at + 1;
      }
      this.#lineEmpty = true;
      lineStart = at + 1;
    }
    if (lineStart < chunk.length) this.#lineEmpty = false;
    return start;
  }

  #cutAny(chunk: Buffer, frames: Buffer[]): number {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LF && this.#afterCr) {
        this.#afterCr = false;
        continue;
      }
      this.#afterCr = byte === CR;
      if (byte !== LF && byte !== CR) {
        this.#lineEmpty = false;
        continue;
      }
      if (this.#lineEmpty) {
        const end = byte === CR && chunk[at + 1] === LF ? at + 2 : at + 1;
        frames.push(this.#take(chunk.subarray(start, end)));
        start = end;
        if (end === at + 2) {
          this.#afterCr = false;
          at += 1;
        }
      }
      this.#lineEmpty = true;
    }
    return start;
  }

  #take(last: Buffer): Buffer {
    const length = this.#pendingLength + last.length;
    if (length > this.#maxFrame) throw new RangeError(`an event is longer than ${this.#maxFrame} bytes`);
    if (this.#pendingLength === 0) return last;
    this.#pending.push(last);
    const frame = Buffer.concat(this.#pending, length);
    this.#pending = [];
    this.#pendingLength = 0;
    return frame;
  }
}

/** The frames of a text without CR that ends with a blank line. */
function cutText(text: string): string[] {
  const first = text.indexOf('\n\n') + 2;
  if (first === text.length && text[0] !== '\n') return [text];
  const frames: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text[start] === '\n' ? start + 1 : text.indexOf('\n\n', start) + 2;
    frames.push(text.slice(start, end));
    start = end;
  }
  return frames;
}

/** The rest of a stream. `whole` is a frame, completed with its blank line. */
export type Rest = { kind: 'nothing' } | { kind: 'whole'; frame: Buffer } | { kind: 'cut' };

/**
 * Interprets what `SseSplitter.end` left. Empty lines and comments are nothing. An event is whole if only its blank
 * line is missing: its data is JSON or `[DONE]`, and no partial line follows. Anything else was cut off.
 */
export function readRest(rest: Buffer | null): Rest {
  if (rest === null) return { kind: 'nothing' };
  const lines = linesOf(rest.toString('utf8'));
  if (lines.every((line) => line === '' || line.startsWith(':'))) return { kind: 'nothing' };
  const { data } = readFrame(rest);
  // The last line is empty if the line before it is terminated.
  const isEnded = /^(data(:.*)?)?$/.test(lines.at(-1)!);
  if (data === null || !isPayload(data) || !isEnded) return { kind: 'cut' };
  return { kind: 'whole', frame: Buffer.concat([rest, rest.at(-1) === LF ? LINE_END : BLANK_LINE]) };
}

/** Joins frames that arrived together into one write. */
export function joinFrames(frames: readonly (Buffer | string)[]): Buffer | string {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((frame) => typeof frame === 'string')) return frames.join('');
  return Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)));
}

/** A stream's last frame with those that arrived behind it, as far as callers can read them. */
export function joinReadable(last: Buffer | string, behind: readonly Frame[]): Buffer | string {
  const rest = behind.filter(isReadable);
  return rest.length === 0 ? last : joinFrames([last, ...rest]);
}

/** True if a frame is only a comment, or an event whose data callers can read. */
function isReadable(frame: Frame): boolean {
  const { event, data } = readFrame(frame);
  return data === null ? event === null : isPayload(data);
}

/** True if data is what dialects send: JSON or `[DONE]`. */
function isPayload(data: string): boolean {
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/**
 * The name and data of a frame. `data` is `null` if it has only comments or is empty. It has no spaces at its end, where
 * they mean nothing to JSON: some vendors send one behind `[DONE]`, which OpenAI's clients take by its beginning.
 */
export function readFrame(frame: Frame): { event: string | null; data: string | null } {
  const text = typeof frame === 'string' ? frame : frame.toString('utf8');
  const nameEnd = text.startsWith(NAME) ? endOfLine(text, NAME.length) : 0;
  const dataLine = nameEnd === 0 ? 0 : nameEnd + (text.startsWith('\r\n', nameEnd) ? 2 : 1);
  if (text.startsWith(DATA, dataLine)) {
    const start = dataLine + DATA.length;
    const end = endOfLine(text, start);
    const event = nameEnd === 0 ? null : text.slice(NAME.length, nameEnd);
    if (isBlank(text, end)) return { event, data: withoutSpace(text.slice(start, end)) };
  }
  return readLines(text);
}

function readLines(text: string): { event: string | null; data: string | null } {
  let event: string | null = null;
  let data: string | null = null;
  for (const line of linesOf(text)) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    if (name === 'data') data = data === null ? value : `${data}\n${value}`;
  }
  return { event, data: data === null ? null : withoutSpace(data) };
}

function endOfLine(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  if (lf < 0) return cr < 0 ? text.length : cr;
  return cr < 0 ? lf : Math.min(lf, cr);
}

function isBlank(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LF && code !== CR) return false;
  }
  return true;
}

function withoutSpace(data: string): string {
  return data.charCodeAt(data.length - 1) <= SPACE ? data.trimEnd() : data;
}

function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
}

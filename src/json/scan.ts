import type { NameTable } from './names.ts';
import { endOfString, type StringEnds, stringEndsOf } from './string-ends.ts';
import { type JsonIndex, nameBit, TAPE_STEP, type Tape } from './tape.ts';

/**
 * Scans the bytes of JSON without parsing or decoding it: all of JSON's syntax is ASCII, and UTF-8 inside strings is
 * skipped.
 *
 * /!\ Hot path: reading bytes is cheaper than reading characters of a text, and spares making the text.
 */

/** Why a body is not one complete JSON object, and the byte offset of the fault. */
export class JsonError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The error for a body that exceeds bounds. */
export class JsonBoundsError extends JsonError {}

/** The most values of any kind, and the most named members, in all objects together. */
export type JsonBounds = { maxValues: number; maxMembers: number };

/** The most members of the outermost object, each of which is recorded. No dialect has a tenth as many. */
const MAX_OUTERMOST = 1024;

const UNBOUNDED: JsonBounds = { maxValues: Number.POSITIVE_INFINITY, maxMembers: Number.POSITIVE_INFINITY };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;

/** Up to this many names are compared one by one. */
const FEW_OUTERMOST = 16;
/** Up to this many numbers, an ordinary list is made faster than a typed array. */
const SHORT_TAPE = 256;
/** The buffer that scans write their tapes to. Larger tapes get their own. */
const SHARED_TAPE = new Int32Array(8192);

/**
 * Checks that `body` is one complete JSON object nested at most `maxDepth` deep, and records its outermost members. An
 * object beyond `bounds` is refused early, because the cost of parsing depends on the number of values, not on bytes.
 */
export function scanObject(body: Buffer, maxDepth: number, bounds = UNBOUNDED): JsonIndex {
  return new Scanner(body, maxDepth, bounds, NOTHING_NOTICED).run();
}

/** As `scanObject`, but notices `names` at any depth. */
export function noticeObject(body: Buffer, maxDepth: number, names: NameTable): JsonIndex {
  return new Scanner(body, maxDepth, UNBOUNDED, { names, isInnerKept: false }).run();
}

/** As `scanObject`, but records all inner values and notices `names`. */
export function indexObject(body: Buffer, maxDepth: number, names: NameTable, bounds = UNBOUNDED): JsonIndex {
  return new Scanner(body, maxDepth, bounds, { names, isInnerKept: true }).run();
}

/** What a scan looks for: names to notice, and whether inner values are recorded. */
type Sought = { names: NameTable | null; isInnerKept: boolean };

const NONE_PLACED: number[] = [];
const NOTHING_NOTICED: Sought = { names: null, isInnerKept: false };

class Scanner {
  #tape = SHARED_TAPE;
  #length = 0;
  #noticed = 0;
  #placed = NONE_PLACED;
  readonly #body: Buffer;
  readonly #ends: StringEnds | null;
  readonly #maxDepth: number;
  readonly #bounds: JsonBounds;
  readonly #names: NameTable | null;
  readonly #isInnerKept: boolean;
  #at = 0;
  #values = 0;
  #named = 0;
  /** The closing brackets of open objects and lists, and their places in the tape; -1 if they are not recorded. */
  readonly #closers: number[] = [];
  readonly #open: number[] = [];
  /** True if an object or list has just begun, so that no comma precedes its first value. */
  #isFirst = true;
  /** The name of the next value, as recorded in the tape. */
  #name = 0;
  #escapedNames = false;
  #odd = false;
  #hints = 0;
  #outermost = 0;
  /** Outermost names, if there are many, and up to where in the tape they have been collected. */
  #seen: Set<string> | null = null;
  #seenTo = TAPE_STEP;

  constructor(body: Buffer, maxDepth: number, bounds: JsonBounds, { names, isInnerKept }: Sought) {
    this.#body = body;
    this.#ends = stringEndsOf(body);
    this.#maxDepth = maxDepth;
    this.#bounds = bounds;
    this.#names = names;
    this.#isInnerKept = isInnerKept;
  }

  /** Copies the tape, because the next scan reuses the buffer. */
  #copied(): Tape {
    if (this.#length > SHORT_TAPE) return this.#tape.slice(0, this.#length);
    const tape: number[] = [];
    for (let at = 0; at < this.#length; at += 1) tape.push(this.#tape[at]!);
    return tape;
  }

  run(): JsonIndex {
    const body = this.#body;
    this.#at = skipSpace(body, 0);
    if (body[this.#at] !== OPEN_BRACE) throw new JsonError('a JSON object must stand here', this.#at);
    this.#readValue();
    while (this.#closers.length > 0) this.#step();
    const end = skipSpace(body, this.#at);
    if (end !== body.length) throw new JsonError('something follows the end of the object', end);
    return {
      tape: this.#copied(),
      noticed: this.#noticed,
      placed: this.#placed,
      escapedNames: this.#escapedNames,
      odd: this.#odd,
      hints: this.#hints,
      closeAt: this.#tape[2]! - 1,
      values: this.#values,
      members: this.#named,
    };
  }

  /** Reads one value, with its name in an object, or a closing bracket. */
  #step(): void {
    const body = this.#body;
    this.#at = skipSpace(body, this.#at);
    const closer = this.#closers[this.#closers.length - 1];
    const code = body[this.#at];
    if (code === closer) return this.#close();
    if (!this.#isFirst) {
      if (code !== COMMA) throw new JsonError('a comma or the end of the list must stand here', this.#at);
      this.#at = skipSpace(body, this.#at + 1);
    }
    if (closer === CLOSE_BRACE) this.#readName();
    this.#readValue();
  }

  #readName(): void {
    const body = this.#body;
    const start = this.#at;
    this.#named += 1;
    if (this.#named > this.#bounds.maxMembers) throw tooMany(this.#bounds.maxMembers, 'members', start);
    if (body[start] !== QUOTE) throw noName(body, start);
    let at = start + 1;
    let isEscaped = false;
    for (let code = body[at]!; code !== QUOTE; code = body[at]!) {
      at += 1;
      if (code > BACKSLASH) continue;
      if (at > body.length) throw new JsonError('it ends inside a string', body.length);
      if (code !== BACKSLASH) continue;
      isEscaped = true;
      at += 1;
    }
    if (isEscaped) this.#escapedNames = true;
    if (this.#closers.length === 1) this.#checkOutermost(start, at, isEscaped);
    if (this.#names !== null) {
      const bits = isEscaped ? -1 : this.#names.like(body, start + 1, at);
      if ((bits & this.#names.placed) !== 0) this.#place();
      // Names already noticed need no check.
      if ((bits & ~this.#noticed) !== 0) this.#noticed |= this.#names.bitOf(body.toString('utf8', start, at + 1));
    }
    this.#name = isEscaped ? -start : start;
    this.#at = skipSpace(body, at + 1);
    if (body[this.#at] !== COLON) throw new JsonError('a colon must stand here', this.#at);
    this.#at = skipSpace(body, this.#at + 1);
  }

  /** Notes that the next value has one of the `placed` names. */
  #place(): void {
    if (this.#placed === NONE_PLACED) this.#placed = [];
    this.#placed.push(this.#length);
  }

  #checkOutermost(start: number, end: number, isEscaped: boolean): void {
    if (this.#outermost === MAX_OUTERMOST) {
      throw new JsonBoundsError(`its outermost object has more than ${MAX_OUTERMOST} members`, start);
    }
    this.#outermost += 1;
    const hint = nameBit(end - start - 1, this.#body[start + 1]!);
    this.#odd ||= isEscaped || ((this.#hints & hint) !== 0 && this.#stoodBefore(start, end));
    this.#hints |= hint;
  }

  /** True if an earlier outermost member has the name in `[start, end)`. */
  #stoodBefore(start: number, end: number): boolean {
    const body = this.#body;
    if (this.#outermost > FEW_OUTERMOST) return this.#namesSoFar().has(body.toString('latin1', start, end));
    for (let at = TAPE_STEP; at < this.#length; at = this.#tape[at + 3]!) {
      const other = this.#tape[at]!;
      let same = 0;
      while (start + same <= end && body[other + same] === body[start + same]) same += 1;
      if (start + same > end) return true;
    }
    return false;
  }

  /** The names of earlier outermost members. They have no escapes, because the object would be `odd` otherwise. */
  #namesSoFar(): Set<string> {
    this.#seen ??= new Set();
    for (let at = this.#seenTo; at < this.#length; at = this.#tape[at + 3]!) {
      const start = this.#tape[at]!;
      this.#seen.add(this.#body.toString('latin1', start, endOfString(this.#body, start + 1)));
    }
    this.#seenTo = this.#length;
    return this.#seen;
  }

  #readValue(): void {
    const body = this.#body;
    const at = this.#at;
    const code = body[at]!;
    this.#values += 1;
    if (this.#values > this.#bounds.maxValues) throw tooMany(this.#bounds.maxValues, 'values', at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) return this.#opens(code);
    const end = code === QUOTE ? this.#skipString(at) : skipScalar(body, at);
    if (this.#isKept() && (code === QUOTE || this.#name !== 0)) this.#record(at, end);
    this.#name = 0;
    this.#ended(end);
  }

  /** The offset after the string that begins at `start`. */
  #skipString(start: number): number {
    const ends = this.#ends;
    const end = ends === null ? endOfString(this.#body, start + 1) : ends.endOf(start + 1);
    if (end < 0) throw new JsonError('it ends inside a string', this.#body.length);
    return end + 1;
  }

  #opens(code: number): void {
    if (this.#closers.length === this.#maxDepth) {
      throw new JsonError(`it is nested deeper than ${this.#maxDepth} levels`, this.#at);
    }
    const isKept = this.#isKept();
    this.#open.push(isKept ? this.#length : -1);
    if (isKept) this.#record(this.#at, 0);
    this.#name = 0;
    this.#closers.push(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
    this.#at += 1;
    this.#isFirst = true;
  }

  #close(): void {
    this.#closers.pop();
    const end = this.#at + 1;
    const at = this.#open.pop()!;
    if (at >= 0) {
      this.#tape[at + 2] = end;
      this.#tape[at + 3] = this.#length;
    }
    this.#ended(end);
  }

  /**
   * True if the next value is recorded. The object itself and its members always are.
   *
   * /!\ Hot path: not a getter, because V8 calls private getters through its runtime.
   */
  #isKept(): boolean {
    return this.#isInnerKept || this.#closers.length <= 1;
  }

  #record(start: number, end: number): void {
    const at = this.#length;
    const next = at + TAPE_STEP;
    if (next > this.#tape.length) this.#grow();
    const tape = this.#tape;
    tape[at] = this.#name;
    tape[at + 1] = start;
    tape[at + 2] = end;
    tape[at + 3] = next;
    this.#length = next;
  }

  #grow(): void {
    const longer = new Int32Array(2 * this.#tape.length);
    longer.set(this.#tape);
    this.#tape = longer;
  }

  #ended(end: number): void {
    this.#at = end;
    this.#isFirst = false;
  }
}

function tooMany(most: number, what: string, at: number): JsonBoundsError {
  return new JsonBoundsError(`it has more than ${most} ${what}`, at);
}

/** The offset of the first byte at or after `from` that is not JSON white space; the body's length if there is none. */
export function skipSpace(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length) {
    const code = body[at];
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}

function skipScalar(body: Buffer, at: number): number {
  const end =
    isWord(body, at, 'true') || isWord(body, at, 'null')
      ? at + 4
      : isWord(body, at, 'false')
        ? at + 5
        : skipNumber(body, at);
  if (end > at) return end;
  throw new JsonError(at >= body.length ? 'it ends too early' : 'a value must stand here', at);
}

/** True if this ASCII word stands at `at`. */
export function isWord(body: Buffer, at: number, word: string): boolean {
  let same = 0;
  while (same < word.length && body[at + same] === word.charCodeAt(same)) same += 1;
  return same === word.length;
}

/**
 * The offset after the number at `start`; `start` itself if there is none.
 *
 * /!\ Hot path: a body may hold half a million numbers, and a regular expression would take several times as long for
 * each.
 */
function skipNumber(body: Buffer, start: number): number {
  const whole = body[start] === MINUS ? start + 1 : start;
  let at = body[whole] === ZERO ? whole + 1 : skipDigits(body, whole);
  if (at === whole) return start;
  if (body[at] === DOT) {
    const end = skipDigits(body, at + 1);
    if (end === at + 1) return at;
    at = end;
  }
  const code = body[at];
  if (code !== SMALL_E && code !== LARGE_E) return at;
  const sign = body[at + 1];
  const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  const end = skipDigits(body, exponent);
  return end === exponent ? at : end;
}

function skipDigits(body: Buffer, from: number): number {
  let at = from;
  for (let code = body[at]!; code >= ZERO && code <= NINE; code = body[at]!) at += 1;
  return at;
}

function noName(body: Buffer, at: number): JsonError {
  return new JsonError(at >= body.length ? 'it ends too early' : 'a quoted name must stand here', at);
}

import type { NameTable } from './names.ts';
import { hintOf, type JsonIndex, TAPE_STEP, type Tape } from './tape.ts';

/**
 * Looks through JSON without building it. `text` is the bytes read as latin1, so that offsets are byte offsets:
 * every character that matters to JSON is ASCII, and UTF-8 inside strings passes as it is.
 *
 * /!\ Hot path: strings are skipped with `indexOf`, which is what makes a large body cheap to look at.
 */

/** Why a text is not one complete JSON object, and where (a byte offset). */
export class JsonError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The refusal of a text that holds more than it may. */
export class JsonBoundsError extends JsonError {}

/** How much JSON may hold: values of every kind, and of them members that have a name, in all objects together. */
export type JsonBounds = { maxValues: number; maxMembers: number };

/** Members of an outermost object. Each is kept, by its name: no dialect has a tenth as many. */
export const MAX_OUTERMOST = 1024;

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

/** So many names are compared one by one. */
const FEW_OUTERMOST = 16;
/** A list of so many numbers is made faster than a typed one. */
const SHORT_TAPE = 256;
/** What scans write their tapes to, so that it need not be made for each. One that needs more makes its own. */
const SHARED_TAPE = new Int32Array(8192);

/**
 * Checks that `text` is one complete JSON object nested at most `maxDepth` deep, and tells where its outermost members stand. With
 * `bounds`, one that holds more is refused before it costs more: what a value costs to build does not depend on its bytes.
 */
export function scanObject(text: string, maxDepth: number, bounds = UNBOUNDED): JsonIndex {
  return new Scanner(text, maxDepth, bounds, null).run();
}

/** The same of every value inside, with names to look out for. */
export function indexObject(text: string, maxDepth: number, names: NameTable, bounds = UNBOUNDED): JsonIndex {
  return new Scanner(text, maxDepth, bounds, names).run();
}

class Scanner {
  #tape = SHARED_TAPE;
  #length = 0;
  #noticed = 0;
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #bounds: JsonBounds;
  readonly #names: NameTable | null;
  #at = 0;
  #values = 0;
  #named = 0;
  /** The signs that close the objects and lists that are open, and where these stand in the tape; -1 where they do not. */
  readonly #closers: number[] = [];
  readonly #open: number[] = [];
  /** An object or a list has just begun: no comma stands before its first value. */
  #isFirst = true;
  /** Of the value that comes next, as the tape has it. */
  #name = 0;
  #odd = false;
  #hints = 0;
  #outermost = 0;
  /** Outermost names, where there are many, and up to where in the tape they are gathered. */
  #seen: Set<string> | null = null;
  #seenTo = TAPE_STEP;

  constructor(text: string, maxDepth: number, bounds: JsonBounds, names: NameTable | null) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#bounds = bounds;
    this.#names = names;
  }

  /** A copy: the list that is written to is the next scan's as well. */
  #copied(): Tape {
    if (this.#length > SHORT_TAPE) return this.#tape.slice(0, this.#length);
    const tape: number[] = [];
    for (let at = 0; at < this.#length; at += 1) tape.push(this.#tape[at]!);
    return tape;
  }

  run(): JsonIndex {
    const text = this.#text;
    this.#at = skipSpace(text, 0);
    if (text.charCodeAt(this.#at) !== OPEN_BRACE) throw new JsonError('a JSON object must stand here', this.#at);
    this.#readValue();
    while (this.#closers.length > 0) this.#step();
    const end = skipSpace(text, this.#at);
    if (end !== text.length) throw new JsonError('something follows the end of the object', end);
    return {
      tape: this.#copied(),
      noticed: this.#noticed,
      odd: this.#odd,
      hints: this.#hints,
      closeAt: this.#tape[2]! - 1,
      values: this.#values,
      members: this.#named,
    };
  }

  /** One value, with its name in an object, or the end of what is open. */
  #step(): void {
    const text = this.#text;
    this.#at = skipSpace(text, this.#at);
    const closer = this.#closers[this.#closers.length - 1];
    const code = text.charCodeAt(this.#at);
    if (code === closer) return this.#close();
    if (!this.#isFirst) {
      if (code !== COMMA) throw new JsonError('a comma or the end of the list must stand here', this.#at);
      this.#at = skipSpace(text, this.#at + 1);
    }
    if (closer === CLOSE_BRACE) this.#readName();
    this.#readValue();
  }

  #readName(): void {
    const text = this.#text;
    const start = this.#at;
    this.#named += 1;
    if (this.#named > this.#bounds.maxMembers) throw tooMany(this.#bounds.maxMembers, 'members', start);
    if (text.charCodeAt(start) !== QUOTE) throw noName(text, start);
    let at = start + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      at += 1;
      if (code > BACKSLASH) continue;
      if (at > text.length) throw new JsonError('it ends inside a string', text.length);
      if (code !== BACKSLASH) continue;
      isEscaped = true;
      at += 1;
    }
    if (this.#closers.length === 1) this.#checkOutermost(start, at, isEscaped);
    if (this.#names !== null) {
      const bits = isEscaped ? -1 : this.#names.like(text, start + 1, at);
      // What was noticed before need not be again.
      if ((bits & ~this.#noticed) !== 0) this.#noticed |= this.#names.bitOf(text.slice(start, at + 1));
    }
    this.#name = isEscaped ? -start : start;
    this.#at = skipSpace(text, at + 1);
    if (text.charCodeAt(this.#at) !== COLON) throw new JsonError('a colon must stand here', this.#at);
    this.#at = skipSpace(text, this.#at + 1);
  }

  #checkOutermost(start: number, end: number, isEscaped: boolean): void {
    if (this.#outermost === MAX_OUTERMOST) {
      throw new JsonBoundsError(`its outermost object has more than ${MAX_OUTERMOST} members`, start);
    }
    this.#outermost += 1;
    const hint = hintOf(end - start - 1, this.#text.charCodeAt(start + 1));
    this.#odd ||= isEscaped || ((this.#hints & hint) !== 0 && this.#stoodBefore(start, end));
    this.#hints |= hint;
  }

  /** Whether an outermost member before has the name that stands in `[start, end)`. */
  #stoodBefore(start: number, end: number): boolean {
    const text = this.#text;
    if (this.#outermost > FEW_OUTERMOST) return this.#namesSoFar().has(text.slice(start, end));
    for (let at = TAPE_STEP; at < this.#length; at = this.#tape[at + 3]!) {
      const other = this.#tape[at]!;
      let same = 0;
      while (start + same <= end && text.charCodeAt(other + same) === text.charCodeAt(start + same)) same += 1;
      if (start + same > end) return true;
    }
    return false;
  }

  /** Of the outermost members before the one that is read: as long as none was odd, none has escapes. */
  #namesSoFar(): Set<string> {
    this.#seen ??= new Set();
    for (let at = this.#seenTo; at < this.#length; at = this.#tape[at + 3]!) {
      const start = this.#tape[at]!;
      this.#seen.add(this.#text.slice(start, this.#text.indexOf('"', start + 1)));
    }
    this.#seenTo = this.#length;
    return this.#seen;
  }

  #readValue(): void {
    const text = this.#text;
    const at = this.#at;
    const code = text.charCodeAt(at);
    this.#values += 1;
    if (this.#values > this.#bounds.maxValues) throw tooMany(this.#bounds.maxValues, 'values', at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) return this.#opens(code);
    const end = skipScalar(text, at, code);
    if (this.#isKept && (code === QUOTE || this.#name !== 0)) this.#record(at, end);
    this.#name = 0;
    this.#ended(end);
  }

  #opens(code: number): void {
    if (this.#closers.length === this.#maxDepth) {
      throw new JsonError(`it is nested deeper than ${this.#maxDepth} levels`, this.#at);
    }
    this.#open.push(this.#isKept ? this.#length : -1);
    if (this.#isKept) this.#record(this.#at, 0);
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

  /** Whether the value that comes next stands in the tape: the object itself and its own members do in any. */
  get #isKept(): boolean {
    return this.#names !== null || this.#closers.length <= 1;
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

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}

function skipScalar(text: string, at: number, code: number): number {
  if (code === QUOTE) return skipString(text, at);
  if (text.startsWith('true', at) || text.startsWith('null', at)) return at + 4;
  if (text.startsWith('false', at)) return at + 5;
  const end = skipNumber(text, at);
  if (end > at) return end;
  throw new JsonError(at >= text.length ? 'it ends too early' : 'a value must stand here', at);
}

/**
 * The offset just behind the number at `start`; `start` itself where there is none.
 *
 * /!\ Hot path: a body may hold half a million, and a pattern takes some times as long for each.
 */
function skipNumber(text: string, start: number): number {
  const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(whole) === ZERO ? whole + 1 : skipDigits(text, whole);
  if (at === whole) return start;
  if (text.charCodeAt(at) === DOT) {
    const end = skipDigits(text, at + 1);
    if (end === at + 1) return at;
    at = end;
  }
  const code = text.charCodeAt(at);
  if (code !== SMALL_E && code !== LARGE_E) return at;
  const sign = text.charCodeAt(at + 1);
  const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  const end = skipDigits(text, exponent);
  return end === exponent ? at : end;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1;
  return at;
}

/** The offset just behind the string that starts at `start`. */
function skipString(text: string, start: number): number {
  const end = endOfString(text, start + 1);
  if (end < 0) throw new JsonError('it ends inside a string', text.length);
  return end + 1;
}

/** The offset of the quote that closes the string whose first character is at `start`; negative where none does. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = quote;
    while (slashes > start && text.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote;
  }
  return -1;
}

function noName(text: string, at: number): JsonError {
  return new JsonError(at >= text.length ? 'it ends too early' : 'a quoted name must stand here', at);
}

/**
 * Looks through JSON without building it. `text` is the bytes read as latin1, so that offsets are byte offsets:
 * every character that matters to JSON is ASCII, and UTF-8 inside strings passes as it is.
 *
 * /!\ Hot path: strings are skipped with `indexOf`, which is what makes a large body cheap to look at.
 */

/** Where the value of each member of the outermost object stands: `[start, end)`. */
export type Members = {
  spans: Map<string, { start: number; end: number }>;
  /** A name stands twice or is written with escapes, so that two readers may disagree on what the object says. */
  odd: boolean;
  /** Offset of the brace that closes the outermost object, and whether the object has no member. */
  closeAt: number;
  empty: boolean;
};

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

/** Members of an outermost object. Each is kept, by its name: no dialect has a tenth as many. */
export const MAX_OUTERMOST = 1024;

/** How much JSON may hold: values of every kind, and of them members that have a name, in all objects together. */
export type JsonBounds = { maxValues: number; maxMembers: number };

/**
 * Checks that `text` is one complete JSON object nested at most `maxDepth` deep, and tells where its members stand. With
 * `bounds`, one that holds more is refused before it costs more: what a value costs to build does not depend on its bytes.
 */
export function scanObject(text: string, maxDepth: number, bounds = UNBOUNDED): Members {
  const members: Members = { spans: new Map(), odd: false, closeAt: -1, empty: true };
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) throw new JsonError('a JSON object must stand here', at);

  const closers: number[] = [];
  let key = '';
  let valueStart = -1;
  let values = 0;
  let named = 0;
  let state: 'value' | 'first' | 'next' = 'value';

  while (true) {
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);

    if (state === 'value') {
      values += 1;
      if (values > bounds.maxValues) throw new JsonBoundsError(`it has more than ${bounds.maxValues} values`, at);
      if (closers.length === 1) valueStart = at;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (closers.length === maxDepth) throw new JsonError(`it is nested deeper than ${maxDepth} levels`, at);
        closers.push(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
        at += 1;
        state = 'first';
        continue;
      }
      at = skipScalar(text, at, code);
    } else if (code === closers[closers.length - 1]) {
      closers.pop();
      if (closers.length === 0) {
        members.closeAt = at;
        const end = skipSpace(text, at + 1);
        if (end !== text.length) throw new JsonError('something follows the end of the object', end);
        return members;
      }
      at += 1;
    } else {
      if (state === 'next') {
        if (code !== COMMA) throw new JsonError('a comma or the end of the list must stand here', at);
        at = skipSpace(text, at + 1);
      }
      if (closers[closers.length - 1] === CLOSE_BRACE) {
        const start = at;
        named += 1;
        if (named > bounds.maxMembers) throw new JsonBoundsError(`it has more than ${bounds.maxMembers} members`, at);
        at = skipString(text, at);
        if (closers.length === 1) {
          if (members.spans.size === MAX_OUTERMOST) {
            throw new JsonBoundsError(`its outermost object has more than ${MAX_OUTERMOST} members`, start);
          }
          key = text.slice(start + 1, at - 1);
          if (key.includes('\\') || members.spans.has(key)) members.odd = true;
        }
        at = skipSpace(text, at);
        if (text.charCodeAt(at) !== COLON) throw new JsonError('a colon must stand here', at);
        at += 1;
      }
      state = 'value';
      continue;
    }

    // A value has just ended, at `at`.
    if (closers.length === 1 && valueStart >= 0) {
      members.spans.set(key, { start: valueStart, end: at });
      members.empty = false;
      valueStart = -1;
    }
    state = 'next';
  }
}

/** How many members all objects of a text have together, one that stands twice counted twice. The text is one that `scanObject` took. */
export function countMembers(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    const end = skipString(text, at);
    if (text.charCodeAt(skipSpace(text, end)) === COLON) count += 1;
    at = text.indexOf('"', end);
  }
  return count;
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
  if (text.charCodeAt(start) !== QUOTE) {
    throw new JsonError(start >= text.length ? 'it ends too early' : 'a quoted name must stand here', start);
  }
  let from = start + 1;
  while (true) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new JsonError('it ends inside a string', text.length);
    let slashes = quote - 1;
    while (slashes > start && text.charCodeAt(slashes) === BACKSLASH) slashes -= 1;
    if ((quote - 1 - slashes) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

/** The text that bytes read as latin1 are: the same where all are ASCII, as short values nearly always are. */
export function utf8Of(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}

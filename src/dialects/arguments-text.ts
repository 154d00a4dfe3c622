import { isJson } from '../json/parse.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
/** The longest text parsed as a bare number or word. Arguments are normally objects. */
const MAX_SCALAR = 64;

/**
 * Collects the arguments of a tool call, and knows whether they are complete JSON so far.
 *
 * Each character is read once, and the text is parsed only when a bracket or string has just closed. Parsing all of it
 * for each piece would take quadratic time.
 */
export class ArgumentsText {
  text = '';
  /** The number of open brackets. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last character that is not whitespace. */
  #last = 0;
  /** The first such character; 0 before it. */
  #first = 0;
  /** The result of the last parse; `null` if text was added since. */
  #parsed: boolean | null = null;
  /** The text is invalid JSON, or more follows a complete value: it can never become complete. */
  #broken = false;

  add(added: string): void {
    if (added === '') return;
    this.text += added;
    for (let at = 0; at < added.length; at += 1) this.#see(added.charCodeAt(at));
  }

  get complete(): boolean {
    if (this.#depth > 0 || this.#inString || this.#broken || this.text === '') return false;
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /** Whether the text ends within a string, an object or a list: more was to come. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  /** Whether an object begins. */
  get isObject(): boolean {
    return this.#first === OPEN_BRACE;
  }

  /** Whether a JSON text begins. */
  get isText(): boolean {
    return this.#first === QUOTE;
  }

  /** Whether an object may be appended as it is: as a value outside of strings, as characters inside one. */
  admits(object: string): boolean {
    if (!this.#inString) return VALUE_FOLLOWS.has(this.#last);
    // The first quote ends the string, and no name follows a string.
    return !this.#escaped && /^[^"]*"\s*(?:[,:}\]]|$)/.test(object);
  }

  #see(code: number): void {
    if (!this.#inString) {
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return;
      if (this.#first === 0) this.#first = code;
      if (this.#parsed === true && isCloser(this.#last)) this.#broken = true;
    }
    this.#parsed = null;
    this.#last = code;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inString = false;
    } else if (code === QUOTE) this.#inString = true;
    else if (code === OPEN_BRACE || code === 0x5b) this.#depth += 1;
    else if (code === 0x7d || code === 0x5d) this.#depth -= 1;
  }

  #parse(): boolean {
    const isClosed = isCloser(this.#last);
    // A bare number or word may be completed by what follows, but is short.
    if (!isClosed && this.text.length > MAX_SCALAR) {
      this.#broken = true;
      return false;
    }
    const isWhole = isJson(this.text);
    if (!isWhole) this.#broken = isClosed;
    return isWhole;
  }
}

/** `:`, `,` and `[` */
const VALUE_FOLLOWS: ReadonlySet<number> = new Set([0x3a, 0x2c, 0x5b]);

function isCloser(code: number): boolean {
  return code === QUOTE || code === 0x7d || code === 0x5d;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer than any number or word of JSON that a tool is given by itself: arguments are objects. */
const MAX_SCALAR = 64;

/**
 * The arguments of a tool call as they come in, and whether they are complete JSON so far.
 *
 * Each character is looked at once: what is not closed yet cannot be complete, so it is parsed only where it has just been
 * closed. A parse of all that came for each further piece would cost the square of a long call.
 */
export class ArgumentsText {
  text = '';
  /** Brackets that are open, and whether a string is. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last character that is no space. */
  #last = 0;
  /** What it came to when it was parsed last; `null` where something was added since. */
  #parsed: boolean | null = null;
  /** What was closed is no JSON, or something follows it: nothing to come can mend that. */
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

  #see(code: number): void {
    if (!this.#inString) {
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return;
      if (this.#parsed === true && isCloser(this.#last)) this.#broken = true;
    }
    this.#parsed = null;
    this.#last = code;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inString = false;
    } else if (code === QUOTE) this.#inString = true;
    else if (code === 0x7b || code === 0x5b) this.#depth += 1;
    else if (code === 0x7d || code === 0x5d) this.#depth -= 1;
  }

  #parse(): boolean {
    const isClosed = isCloser(this.#last);
    // A number or a word may become complete with what follows; it is short.
    if (!isClosed && this.text.length > MAX_SCALAR) {
      this.#broken = true;
      return false;
    }
    try {
      JSON.parse(this.text);
      return true;
    } catch {
      this.#broken = isClosed;
      return false;
    }
  }
}

function isCloser(code: number): boolean {
  return code === QUOTE || code === 0x7d || code === 0x5d;
}

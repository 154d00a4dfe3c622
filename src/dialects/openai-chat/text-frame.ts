/** The member by which OpenAI hides how long a piece of text is: its own length differs in each chunk. */
const PADDING = '"obfuscation":';
const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/**
 * The JSON around the one text of a chunk. Most chunks of a stream differ in that text alone, and in the padding behind it.
 *
 * /!\ Hot path: a chunk that is like the last one needs no other look.
 */
export class TextFrame {
  /** Where the text of a chunk like the last one begins; 0 if no chunk is like it. */
  start = 0;
  /** The JSON before the text, from the text to the padding or the end, and behind the padding. */
  #before = '';
  #behind = '';
  #tail: string | null = null;

  /** Remembers a chunk whose one text stands, still escaped, in `[start, end)`. */
  remember(data: string, start: number, end: number): void {
    this.start = start;
    this.#before = data.slice(0, start);
    const padding = paddingIn(data, end);
    this.#behind = data.slice(end, padding);
    this.#tail = padding === undefined ? null : data.slice(data.indexOf('"', padding));
  }

  /** No chunk is like the last one. */
  forget(): void {
    this.start = 0;
  }

  /** Whether this JSON stood behind the text of the last chunk, but for its padding. */
  isBehind(data: string, end: number): boolean {
    const padding = paddingIn(data, end);
    if (data.slice(end, padding) !== this.#behind) return false;
    return padding === undefined ? this.#tail === null : data.slice(data.indexOf('"', padding)) === this.#tail;
  }

  /** Where the text of a chunk ends that is like the last one; negative if it is not. */
  endIn(data: string): number {
    const { start } = this;
    // Slices are compared as a whole; `startsWith` goes character by character.
    if (start === 0 || data.slice(0, start) !== this.#before) return -1;
    const end = data.indexOf('"', start);
    if (end < 0 || data.charCodeAt(end - 1) === BACKSLASH) return -1;
    const behind = this.#behind;
    const padding = end + behind.length;
    if (data.slice(end, padding) !== behind) return -1;
    if (this.#tail === null) return padding === data.length ? end : -1;
    return data.slice(data.indexOf('"', padding)) === this.#tail ? end : -1;
  }
}

/** Where the value of the padding begins behind its quote; `undefined` if there is none. */
function paddingIn(data: string, from: number): number | undefined {
  const name = data.indexOf(PADDING, from);
  if (name < 0) return undefined;
  let at = name + PADDING.length;
  while (data.charCodeAt(at) === SPACE) at += 1;
  return data.charCodeAt(at) === QUOTE ? at + 1 : undefined;
}

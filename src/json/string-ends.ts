import { readFileSync } from 'node:fs';

/** From this length on, copying a body costs less than it saves. */
const LONG_BODY = 512;
/** The bytes of the body that are in the memory at a time. */
const WINDOW = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Finds the ends of strings in one body. */
export type StringEnds = {
  /** The offset of the closing quote of the string whose first byte is at `start`; negative if there is none. */
  endOf(start: number): number;
};

/** The native reader of string ends for long bodies. `null`: use `endOfString`. */
export function stringEndsOf(body: Buffer): StringEnds | null {
  return body.length < LONG_BODY || native === null ? null : new NativeStringEnds(body, native);
}

/** As `StringEnds`, byte by byte: fastest for short strings. */
export function endOfString(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at += 1) {
    const code = body[at];
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}

/**
 * The offset of the closing quote of the string whose first character is at `start`, in a text; the text's length if
 * there is none.
 */
export function endOfStringInText(data: string, start: number): number {
  for (let quote = data.indexOf('"', start); quote >= 0; quote = data.indexOf('"', quote + 1)) {
    let slashes = quote;
    while (slashes > start && data.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote;
  }
  return data.length;
}

type Native = { unescapedQuote(at: number): number; memory: Buffer };

/** The used part of WebAssembly, which only the types of browsers declare. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
  ) => { exports: { unescapedQuote: Native['unescapedQuote']; memory: { buffer: ArrayBuffer } } };
};

const native = loadNative(readFileSync(new URL('string-ends.wasm', import.meta.url)));

/** @returns `null` if it cannot run: without SIMD, without room for its memory, or with `--jitless` */
function loadNative(bytes: Uint8Array): Native | null {
  try {
    const { unescapedQuote, memory } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    return { unescapedQuote, memory: Buffer.from(memory.buffer) };
  } catch {
    return null;
  }
}

/**
 * Looks for quotes 64 bytes at a time (`string-ends.wat`) in a window of the body. All bodies share one memory, so a
 * scan must end before the next begins. A body of 100 KB with thousands of escaped quotes takes a third of the time.
 */
class NativeStringEnds implements StringEnds {
  readonly #body: Buffer;
  readonly #native: Native;
  /** The range of the body in the window. */
  #from = 0;
  #to = 0;

  constructor(body: Buffer, native: Native) {
    this.#body = body;
    this.#native = native;
  }

  endOf(start: number): number {
    let at = start;
    for (;;) {
      if (at >= this.#to) {
        if (at >= this.#body.length) return -1;
        this.#move(at);
      }
      at = this.#from + this.#native.unescapedQuote(at - this.#from);
      if (at < this.#to) return at;
    }
  }

  /**
   * Two quotes follow the window: the reader stops at the first one, or at the second one if the window's last
   * backslash escapes the first.
   */
  #move(from: number): void {
    const { memory } = this.#native;
    const length = this.#body.copy(memory, 0, from, from + WINDOW);
    memory[length] = QUOTE;
    memory[length + 1] = QUOTE;
    this.#from = from;
    this.#to = from + length;
  }
}

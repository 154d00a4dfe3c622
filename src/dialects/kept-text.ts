import type { ProducedText } from './dialect.ts';

/** Characters kept to be counted where the vendor does not report usage. */
const MAX_KEPT_TEXT = 256 * 1024;
/** Pieces that are joined at once. */
const JOINED = 64;

/** What a passing stream said, as it stands in JSON, escapes and all. */
export class KeptText {
  #escaped = '';
  /** What came last. Each is cut out of its chunk, and keeps that in memory until it is joined with others. */
  #pieces: string[] = [];
  #length = 0;
  #unseen = 0;

  keep(escaped: string): void {
    if (this.#length + escaped.length > MAX_KEPT_TEXT) {
      this.#unseen += escaped.length;
      return;
    }
    this.#length += escaped.length;
    this.#pieces.push(escaped);
    if (this.#pieces.length === JOINED) this.#join();
  }

  keepWord(word: string): void {
    this.keep(JSON.stringify(word).slice(1, -1));
  }

  get empty(): boolean {
    return this.#length === 0 && this.#unseen === 0;
  }

  produced(): ProducedText {
    this.#join();
    return { text: unescaped(this.#escaped), unseen: this.#unseen };
  }

  #join(): void {
    this.#escaped += this.#pieces.join('');
    this.#pieces = [];
  }
}

/** The offset of the quote that closes the string whose first character is at `start`. */
export function endOfString(data: string, start: number): number {
  for (let quote = data.indexOf('"', start); quote >= 0; quote = data.indexOf('"', quote + 1)) {
    let slashes = quote;
    while (slashes > start && data.charCodeAt(slashes - 1) === 0x5c) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote;
  }
  return data.length;
}

/** Pieces that were not parsed may hold what no JSON string may; it is then counted as it stands. */
function unescaped(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`) as string;
  } catch {
    return escaped;
  }
}

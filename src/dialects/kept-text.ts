import { parseJson } from '../json/parse.ts';
import type { ProducedText } from './dialect.ts';

/** The most characters kept for counting tokens if the vendor reports no usage. */
const MAX_KEPT_TEXT = 256 * 1024;
/** Pieces are joined in batches of this size. */
const JOINED = 64;

/**
 * The text of a passing stream, still JSON-escaped.
 *
 * /!\ Hot path: `keep` runs for most frames of a stream. An array of fixed length takes a piece by one store, where
 * `push` is a call.
 */
export class KeptText {
  #escaped = '';
  /** Pieces not joined yet. Each is a slice that keeps its whole chunk in memory until it is joined. */
  readonly #pieces: string[] = new Array(JOINED).fill('');
  #count = 0;
  #length = 0;
  #unseen = 0;

  keep(escaped: string): void {
    if (this.#length + escaped.length > MAX_KEPT_TEXT) {
      this.#unseen += escaped.length;
      return;
    }
    this.#length += escaped.length;
    this.#pieces[this.#count] = escaped;
    this.#count += 1;
    if (this.#count === JOINED) this.#join();
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
    this.#pieces.fill('');
    this.#count = 0;
  }
}

/** Unescapes the text. Pieces were not parsed and may be invalid; then they are returned as they are. */
function unescaped(escaped: string): string {
  try {
    return parseJson(`"${escaped}"`) as string;
  } catch {
    return escaped;
  }
}

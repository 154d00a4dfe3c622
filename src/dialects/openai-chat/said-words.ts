/**
 * What a stream has said of a text. Some vendors say all of it again: in a last piece, or in a `message` that holds the
 * text so far in the place of a `delta`.
 */
export class SaidWords {
  #text = '';
  #pieces = 0;

  get length(): number {
    return this.#text.length;
  }

  /**
   * Takes a piece. @returns what is new of it
   *
   * @param mayRepeat whether one that equals all of several pieces says them again
   */
  piece(added: string, mayRepeat: boolean): string {
    if (mayRepeat && this.#pieces > 1 && added === this.#text) return '';
    if (added !== '') this.#pieces += 1;
    this.#text += added;
    return added;
  }

  /** Takes the text so far. @returns what is new of it. A text that does not continue what was said is a piece, unless pieces came before. */
  whole(text: string): string {
    if (text.startsWith(this.#text)) {
      const added = text.slice(this.#text.length);
      this.#text = text;
      return added;
    }
    if (this.#pieces > 0) return '';
    this.#text += text;
    return text;
  }
}

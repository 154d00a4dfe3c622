/**
 * A text received in pieces. Some vendors repeat all of it, in a last piece or in a `message` in place of a `delta`.
 * Texts are compared by their length and their first `MOST` characters, because keeping a long answer in small pieces
 * would take nine times its size.
 */
export class StreamedText {
  /** The first characters. */
  #kept = '';
  #length = 0;
  #pieces = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Takes a piece. @returns what is new in it
   *
   * @param mayRepeat whether a piece that equals all earlier pieces together repeats them
   */
  piece(added: string, mayRepeat: boolean): string {
    if (mayRepeat && this.#pieces > 1 && added.length === this.#length && this.#begins(added)) return '';
    if (added !== '') this.#pieces += 1;
    this.#add(added);
    return added;
  }

  /**
   * Takes the text so far. @returns what is new in it. A text that does not continue the earlier one counts as a piece,
   * unless there were pieces before.
   */
  whole(text: string): string {
    const goesOn = this.#begins(text);
    if (!goesOn && this.#pieces > 0) return '';
    const added = goesOn ? text.slice(this.#length) : text;
    this.#add(added);
    return added;
  }

  #begins(text: string): boolean {
    return text.length >= this.#length && text.startsWith(this.#kept);
  }

  #add(added: string): void {
    const room = MOST - this.#kept.length;
    if (room > 0) this.#kept += added.length > room ? added.slice(0, room) : added;
    this.#length += added.length;
  }
}

const MOST = 64 * 1024;

/**
 * What a stream has said of a text. Some vendors say all of it again: in a last piece, or in a `message` that holds the
 * text so far in the place of a `delta`. A text is known by its length and its first `MOST` characters: two that have
 * both in common are the same, and a long answer in small pieces would take nine times its size to keep.
 */
export class SaidWords {
  /** The first characters. */
  #kept = '';
  #length = 0;
  #pieces = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Takes a piece. @returns what is new of it
   *
   * @param mayRepeat whether one that equals all of several pieces says them again
   */
  piece(added: string, mayRepeat: boolean): string {
    if (mayRepeat && this.#pieces > 1 && added.length === this.#length && this.#begins(added)) return '';
    if (added !== '') this.#pieces += 1;
    this.#add(added);
    return added;
  }

  /** Takes the text so far. @returns what is new of it. A text that does not continue what was said is a piece, unless pieces came before. */
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

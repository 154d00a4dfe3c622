/** The version of a file that does not exist. */
export const ABSENT = 'absent';

/**
 * Watches a file by reading it again and again. A change counts once the next read finds the same text: a file that is
 * written in place may not be complete at the first.
 */
export class WatchedFile {
  /** The version that was last read, or reported as gone. */
  #seen: string;
  /** A version that was seen once and not yet confirmed. */
  #changing: string | null = null;

  /** @param version tells one file from another in its place; `ABSENT` for none */
  constructor(version: string) {
    this.#seen = version;
  }

  /** Notes that this version is being read. */
  read(version: string): void {
    this.#seen = version;
    this.#changing = null;
  }

  /** `changed`: it has to be read. `gone` is reported once, and at once. */
  look(version: string): 'same' | 'changed' | 'gone' {
    if (version === this.#seen) {
      this.#changing = null;
      return 'same';
    }
    if (version !== ABSENT && version !== this.#changing) {
      this.#changing = version;
      return 'same';
    }
    this.read(version);
    return version === ABSENT ? 'gone' : 'changed';
  }
}

/** Stands for a file that is not there. */
export const ABSENT = 'absent';

/**
 * What becomes of a file that is looked at again and again. A change counts when the next look finds no other: whoever
 * writes a file in place may not be done with it at the first.
 */
export class WatchedFile {
  /** As it was when it was last read, or said to be gone. */
  #seen: string;
  /** What the last look found, where that was another. */
  #changing: string | null = null;

  /** @param version tells one file from another in its place; `ABSENT` for none */
  constructor(version: string) {
    this.#seen = version;
  }

  /** The file is being read as it is now. */
  read(version: string): void {
    this.#seen = version;
    this.#changing = null;
  }

  /** `changed`: it is to be read. `gone` is told once, and at once. */
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

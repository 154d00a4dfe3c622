/** The version of a file that does not exist. */
export const ABSENT = 'absent';

/**
 * Watches a file by polling. A change counts when the next read finds the same text: a file that is written in place may
 * be incomplete at the first read.
 */
export class WatchedFile {
  /** The version that was last read or reported as gone. */
  #seen: string;
  /** A version that was seen once and is not confirmed yet. */
  #changing: string | null = null;

  /** @param version identifies the content; `ABSENT` without a file */
  constructor(version: string) {
    this.#seen = version;
  }

  /** Records that this version is being read. */
  read(version: string): void {
    this.#seen = version;
    this.#changing = null;
  }

  /** `changed`: it must be read. `gone` is reported once, without confirmation. */
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

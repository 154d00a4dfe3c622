/** Where a group of records ends. Positions of one journal are ordered: by file, and by `end` within a file. */
export type JournalPosition = { file: string; end: number };

/**
 * Where the ledger's records are kept until the tables have them. Once an append is done, its records survive the death of this
 * process.
 */
export type Journal = {
  /**
   * Appends a group of records, all or none. A journal that is not done when it returns gives a promise. Throws, or rejects, if
   * the records could not be written.
   */
  append(records: readonly string[]): JournalPosition | Promise<JournalPosition>;
  /** Up to where everything is acknowledged, for whoever takes over; `null` before the first append. */
  readonly place: JournalPosition | null;
  /** Throws, or rejects, if nothing can be written now. */
  check(): void | Promise<void>;
  /** Appends nothing any more. */
  close(): void;
};

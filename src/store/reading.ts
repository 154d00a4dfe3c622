/** What a statement is handed. */
export type ReadValue = string | number | bigint | null;

export type ReadRow = Record<string, unknown>;

/**
 * Reads rows by statements that all engines take, but for the words below. Parameters are `?`. Whole numbers come as `bigint`,
 * others as `number`.
 */
export type Reading = {
  rows(sql: string, values: readonly ReadValue[]): readonly ReadRow[] | Promise<readonly ReadRow[]>;
  words: ReadingWords;
};

export type ReadingWords = {
  /** A table by its name, as statements name it; its columns are those of the plain name. */
  table(name: string): string;
  /** A column that is compared without an index, because another one finds fewer rows. */
  unindexed(column: string): string;
  /** The sums of any number of groups, each found by its group; and the groups themselves. One parameter: `numbers`. */
  daysOfGroups: string;
  groups: string;
  /** Numbers of groups as one parameter. */
  numbers(numbers: readonly number[]): ReadValue;
};

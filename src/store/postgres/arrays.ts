import type { BoundColumn, ColumnType, ColumnValue } from '../call-columns.ts';

/** Values of one column for all rows, as Postgres reads an array; `null` where no row has a value. */
export type BoundArray = { name: string; type: ColumnType; array: string | null };

const TYPES: Readonly<Record<ColumnType, string>> = { text: 'text[]', integer: 'bigint[]' };
const QUOTED = /["\\]/;

/**
 * The values of one column as the text of an array; `null` where all are null.
 *
 * /!\ Hot path: the driver would make an array of texts of each array, and look into each for what it is.
 */
export function arrayOf<Of>(type: ColumnType, rows: readonly Of[], write: (of: Of) => ColumnValue): string | null {
  let text = '{';
  let isEmpty = true;
  for (let at = 0; at < rows.length; at += 1) {
    const value = write(rows[at]!);
    if (at > 0) text += ',';
    if (value === null) {
      text += 'NULL';
      continue;
    }
    isEmpty = false;
    text += type === 'integer' ? String(value) : quoted(String(value));
  }
  return isEmpty && rows.length > 0 ? null : `${text}}`;
}

function quoted(value: string): string {
  return `"${QUOTED.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
}

export function boundArrays<Of>(columns: readonly BoundColumn<Of>[], rows: readonly Of[]): BoundArray[] {
  return columns.map(([name, type, write]) => ({ name, type, array: arrayOf(type, rows, write) }));
}

/** The same of rows that are lists, in the order of their columns. */
export function boundRows(
  columns: readonly (readonly [name: string, type: ColumnType])[],
  rows: readonly (readonly ColumnValue[])[],
): BoundArray[] {
  return columns.map(([name, type], index) => ({ name, type, array: arrayOf(type, rows, (row) => row[index]!) }));
}

/** Arrays as a table of a statement; parameters are numbered from `first` on. A column without values is an array of nulls all the same. */
export function unnested(arrays: readonly BoundArray[], first = 1): string {
  return `unnest(${arrays.map(({ type }, index) => `$${first + index}::${TYPES[type]}`).join(', ')})`;
}

export function valuesOf(arrays: readonly BoundArray[]): (string | null)[] {
  return arrays.map(({ array }) => array);
}

export function columnsOf(arrays: readonly BoundArray[]): string {
  return arrays.map(({ name }) => name).join(', ');
}

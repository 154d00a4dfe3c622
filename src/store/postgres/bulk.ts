import type { ColumnType, ColumnValue } from '../call-columns.ts';
import { type BoundArray, boundRows, columnsOf, unnested, valuesOf } from './arrays.ts';
import type { RunQuery } from './pool.ts';
import { table } from './reading.ts';

export type Columns = readonly (readonly [name: string, type: ColumnType])[];
export type RowValues = readonly ColumnValue[];

/**
 * Inserts rows by one statement of arrays, in their order. What no row has a value of is left out.
 *
 * @param tail - what follows the rows, such as what is done about those that are there
 */
export async function insertArrays(
  query: RunQuery,
  into: string,
  arrays: readonly BoundArray[],
  tail = '',
): Promise<void> {
  const bound = arrays.filter(({ array }) => array !== null);
  await query(
    `insert into ${table(into)} (${columnsOf(bound)}) select * from ${unnested(bound)} ${tail}`,
    valuesOf(bound),
  );
}

export async function insertRows(
  query: RunQuery,
  into: string,
  { columns, rows, tail }: { columns: Columns; rows: readonly RowValues[]; tail?: string },
): Promise<void> {
  if (rows.length > 0) await insertArrays(query, into, boundRows(columns, rows), tail);
}

/** Rows that many write are locked in this order, which is the same for all. */
export function inOrder<Row extends RowValues>(rows: readonly Row[]): Row[] {
  return rows.toSorted(compare);
}

function compare(one: RowValues, other: RowValues): number {
  for (let at = 0; at < one.length; at += 1) {
    const [mine, theirs] = [one[at]!, other[at]!];
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}

export type NumberedRow = { number: number; row: Readonly<Record<string, unknown>> };

/**
 * The numbers of rows by their names, in the order of `names`; `null` where there is none. Each is found by the index of names:
 * a fresh table has no statistics, by which the planner would know better than to read it whole.
 */
export async function findNumbers(
  query: RunQuery,
  from: string,
  { columns, names, more = [] }: { columns: Columns; names: readonly RowValues[]; more?: readonly string[] },
): Promise<(NumberedRow | null)[]> {
  const found: (NumberedRow | null)[] = names.map(() => null);
  if (names.length === 0) return found;
  const arrays = boundRows(columns, names);
  const { rows } = await query<{ at: bigint; number: bigint }>(
    `select wanted.at, found.* from ${unnested(arrays)} with ordinality as wanted (${columnsOf(arrays)}, at)
     cross join lateral (
       select ${['number', ...more].join(', ')} from ${table(from)} as named
       where ${columns.map(([name]) => `named.${name} = wanted.${name}`).join(' and ')} limit 1
     ) as found`,
    valuesOf(arrays),
  );
  for (const row of rows) found[Number(row.at) - 1] = { number: Number(row.number), row };
  return found;
}

/** The same of rows that are made where there are none. */
export async function numbersOf(
  query: RunQuery,
  from: string,
  { columns, names, more }: { columns: Columns; names: readonly RowValues[]; more?: readonly RowValues[] },
  moreColumns: Columns = [],
): Promise<NumberedRow[]> {
  const asked = { columns, more: moreColumns.map(([name]) => name) };
  const found = await findNumbers(query, from, { ...asked, names });
  const missing = names.flatMap((_, index) => (found[index] === null ? [index] : []));
  if (missing.length > 0) {
    const rows = inOrder(missing.map((index) => [...names[index]!, ...(more?.[index] ?? [])]));
    await insertRows(query, from, { columns: [...columns, ...moreColumns], rows, tail: 'on conflict do nothing' });
    const made = await findNumbers(query, from, { ...asked, names: missing.map((index) => names[index]!) });
    for (const [at, index] of missing.entries()) found[index] = made[at]!;
  }
  return found as NumberedRow[];
}

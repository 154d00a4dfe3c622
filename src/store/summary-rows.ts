import type { ComparedSums, SummaryMeasure, SummaryQuery, SummaryRow, UsageSums } from '../core/usage-summary.ts';
import { addDaySums, noDaySums } from './sum-columns.ts';

type RowOrder = Pick<SummaryQuery, 'by' | 'orderBy' | 'top'>;

const MEASURES: Readonly<Record<SummaryMeasure, (sums: UsageSums) => bigint | number>> = {
  cost: ({ cost }) => cost,
  calls: ({ calls }) => calls,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  cached_tokens: ({ cachedTokens }) => cachedTokens,
  failed_calls: ({ failed }) => failed,
};

/**
 * Sorts rows: the last day first where there are days; then what comes to most, then the dearest, what was called most, and by
 * name.
 */
function orderOf({ by, orderBy = 'cost' }: RowOrder): (one: SummaryRow, other: SummaryRow) => number {
  const isByDay = by.includes('day');
  const byMeasures = [...new Set([MEASURES[orderBy], MEASURES.cost, MEASURES.calls])];
  return (one, other) => {
    if (isByDay && one.values.day !== other.values.day) return one.values.day! > other.values.day! ? -1 : 1;
    for (const measure of byMeasures) {
      const [mine, theirs] = [measure(one.sums), measure(other.sums)];
      if (mine !== theirs) return mine > theirs ? -1 : 1;
    }
    return JSON.stringify(one.values) < JSON.stringify(other.values) ? -1 : 1;
  };
}

/** The first rows in order, as many as are asked for, and all others, in any order: with days, few days have to be sorted. */
export function firstRows(
  rows: readonly SummaryRow[],
  query: Pick<SummaryQuery, 'by' | 'orderBy' | 'limit'>,
): { told: SummaryRow[]; rest: SummaryRow[] } {
  const days = new Map<string, SummaryRow[]>();
  for (const row of rows) {
    const day = row.values.day ?? '';
    const found = days.get(day);
    if (found === undefined) days.set(day, [row]);
    else found.push(row);
  }
  const told: SummaryRow[] = [];
  const rest: SummaryRow[] = [];
  const order = orderOf(query);
  for (const day of [...days.keys()].sort().reverse()) {
    const ofDay = days.get(day)!;
    if (told.length < query.limit) ofDay.sort(order);
    for (const row of ofDay) (told.length < query.limit ? told : rest).push(row);
  }
  return { told, rest };
}

/** Puts all rows that are not of the query's `top` together, by day where there are days. */
export function keepTop(rows: SummaryRow[], { by, orderBy, top }: RowOrder): SummaryRow[] {
  if (top === undefined) return rows;
  const names = by.filter((each) => each !== 'day');
  const nameOf = ({ values }: SummaryRow) => JSON.stringify(names.map((each) => values[each]));
  const totals = new Map<string, SummaryRow>();
  for (const row of rows) {
    const name = nameOf(row);
    const total = totals.get(name) ?? { values: { ...row.values, day: null }, keyName: null, ...noneCompared() };
    totals.set(name, total);
    addCompared(total, row);
  }
  const order = orderOf({ by: names, ...(orderBy !== undefined && { orderBy }) });
  const ranked = [...totals].sort(([, one], [, other]) => order(one, other)).map(([name]) => name);
  const kept = new Set(ranked.slice(0, top));
  const restOf = ranked.length - kept.size;
  const rest = new Map<string | null | undefined, SummaryRow>();
  for (const row of rows) {
    if (kept.has(nameOf(row))) continue;
    const { day } = row.values;
    const values = day === undefined ? {} : { day };
    const found = rest.get(day) ?? { values, keyName: null, restOf, ...noneCompared() };
    rest.set(day, found);
    addCompared(found, row);
  }
  return [...rows.filter((row) => kept.has(nameOf(row))), ...rest.values()];
}

export function noneCompared(): ComparedSums {
  return { sums: noSums(), previous: noSums() };
}

function noSums(): UsageSums {
  return { ...noDaySums(), underOther: 0 };
}

export function addCompared(to: ComparedSums, { sums, previous }: ComparedSums): void {
  addSums(to.sums, sums);
  addSums(to.previous, previous);
}

function addSums(to: UsageSums, added: UsageSums): void {
  addDaySums(to, added);
  to.underOther += added.underOther;
}

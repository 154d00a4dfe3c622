import type { GatewayError } from '../core/errors.ts';
import type {
  ComparedSums,
  SummaryMeasure,
  SummaryQuery,
  SummaryRow,
  UsageSummary,
  UsageSums,
} from '../core/usage-summary.ts';
import type { ReportTime } from './report-time.ts';
import { addDaySums, noDaySums, takeDaySums } from './sum-columns.ts';

/** How many rows may be put together, before the dearest of them are told; of a query with `top`, without its days. */
export const MAX_SUMMARY_ROWS = 50_000;

type RowOrder = Pick<SummaryQuery, 'by' | 'orderBy'>;

/** How long a report may take, and the errors of one that takes too long and of one with too many rows. */
export type ReportBounds = {
  time: ReportTime;
  refuse: { tooLong(): GatewayError; tooMany(): GatewayError };
};

/** Reads the sums of an organization's day (a number from 1970 on), without names of keys and in no order. */
export type DayReader = (
  reading: ReportBounds & { organizationId: string },
  query: Pick<SummaryQuery, 'by' | 'hidesTargets'>,
  day: number,
) => Promise<SummaryRow[]>;

/** The rows that one step looks at: some ms. */
const ITEMS_PER_STEP = 500;

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

/** The first rows of a query in order, and all others in one sum (`null` if there are none). */
export type FirstRows = { told: SummaryRow[]; rest: UsageSummary['rest'] };

/** The first rows in order, as many as are asked for, found in steps. */
export async function firstRows(
  rows: readonly SummaryRow[],
  query: Pick<SummaryQuery, 'by' | 'orderBy' | 'limit'>,
  time: ReportTime,
): Promise<FirstRows> {
  const { limit } = query;
  const order = orderOf(query);
  const told: SummaryRow[] = [];
  let rest: FirstRows['rest'] = null;
  // The last days are read last and come first: read from the end, most rows find no place.
  await eachInSteps(time, rows.toReversed(), (row) => {
    const isIn = told.length < limit || (limit > 0 && order(row, told.at(-1)!) < 0);
    if (isIn) told.splice(indexFor(told, row, order), 0, row);
    const left = isIn ? (told.length > limit ? told.pop() : undefined) : row;
    if (left === undefined) return;
    rest ??= { ...noneCompared(), rows: 0 };
    addCompared(rest, left);
    rest.rows += 1;
  });
  return { told, rest };
}

/** Where a row belongs among others that are in order. */
function indexFor(rows: readonly SummaryRow[], row: SummaryRow, order: ReturnType<typeof orderOf>): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(rows[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows of days for all that has no row of its own there: what a whole day comes to, without the rows that there are.
 *
 * @param whole - a row for each day, which is changed
 * @param restOf - how many combinations are in them
 */
export async function restOfDays(
  whole: readonly SummaryRow[],
  told: readonly SummaryRow[],
  { restOf, time }: { restOf: number; time: ReportTime },
): Promise<SummaryRow[]> {
  const days = new Map(whole.map((row) => [row.values.day, row]));
  await eachInSteps(time, told, ({ values, sums, previous }) => {
    const day = days.get(values.day);
    if (day === undefined) return;
    takeSums(day.sums, sums);
    takeSums(day.previous, previous);
  });
  return whole.flatMap((row) => (row.sums.calls + row.previous.calls > 0 ? [{ ...row, restOf }] : []));
}

/** Does the work for each item, in steps between which others have their turn. */
export async function eachInSteps<Item>(
  time: ReportTime,
  items: readonly Item[],
  work: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    await time.step(() => {
      for (const item of items.slice(from, from + ITEMS_PER_STEP)) work(item);
    });
  }
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

function takeSums(from: UsageSums, taken: UsageSums): void {
  takeDaySums(from, taken);
  from.underOther = Math.max(0, from.underOther - taken.underOther);
}

import { setImmediate as turn } from 'node:timers/promises';
import type { BucketQuery, BucketRow } from '../../core/usage-buckets.ts';

/** The rows that are written in one turn of the event loop. */
const ROWS_A_TURN = 500;

/** The buckets of one page. */
export type BucketSpan = Pick<BucketQuery, 'from' | 'until' | 'widthMs'> & { hasMore: boolean };

type OrderedRows = { rows: readonly BucketRow[]; order: (one: BucketRow, other: BucketRow) => number };

/** Each bucket is sorted and written in turns of its own, so that calls are served in between. */
export async function bucketPageJson<Json>(
  span: BucketSpan,
  { rows, order }: OrderedRows,
  json: (row: BucketRow) => Json,
) {
  const { from, until, widthMs, hasMore } = span;
  const found = Map.groupBy(rows, ({ start }) => start);
  const data = [];
  let written = 0;
  for (let start = from; start < until; start += widthMs) {
    const ordered = (found.get(start) ?? []).sort(order);
    const results: Json[] = [];
    for (const row of ordered) {
      written += 1;
      if (written % ROWS_A_TURN === 0) await turn();
      results.push(json(row));
    }
    data.push({ object: 'bucket' as const, start_time: start / 1000, end_time: (start + widthMs) / 1000, results });
  }
  return {
    object: 'page' as const,
    data,
    has_more: hasMore,
    next_page: hasMore ? `page_${until / 1000}` : null,
  };
}

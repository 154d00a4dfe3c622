import type { BucketQuery, BucketRow } from '../../core/usage-buckets.ts';
import { mapInTurns, sortInTurns, WorkTurns } from '../../http/in-turns.ts';

/** The buckets of one page. */
export type BucketSpan = Pick<BucketQuery, 'from' | 'until' | 'widthMs'> & { hasMore: boolean };

type OrderedRows = { rows: readonly BucketRow[]; order: (one: BucketRow, other: BucketRow) => number };

/** Rows are sorted and written in turns, so that calls are served in between. */
export async function bucketPageJson<Json>(
  span: BucketSpan,
  { rows, order }: OrderedRows,
  json: (row: BucketRow) => Json,
) {
  const { from, until, widthMs, hasMore } = span;
  const turns = new WorkTurns();
  const found = Map.groupBy(rows, ({ start }) => start);
  const data = [];
  for (let start = from; start < until; start += widthMs) {
    const ordered = await sortInTurns(found.get(start) ?? [], order, turns);
    const results = await mapInTurns(ordered, json, turns);
    data.push({ object: 'bucket' as const, start_time: start / 1000, end_time: (start + widthMs) / 1000, results });
  }
  return {
    object: 'page' as const,
    data,
    has_more: hasMore,
    next_page: hasMore ? `page_${until / 1000}` : null,
  };
}

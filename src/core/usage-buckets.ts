import type { NanoDollars } from './money.ts';
import type { TokenCount } from './usage.ts';

/** The dimensions of usage in time buckets. `project` and `user` are the key's current ones. */
const BUCKET_DIMENSIONS = [
  'project',
  'user',
  'key',
  'model',
  'requested_model',
  'product',
  'source',
  'route',
  'provider',
  'upstream_model',
  'tier',
  'line_item',
] as const;
export type BucketDimension = (typeof BUCKET_DIMENSIONS)[number];

/** Selects and groups settled calls of an organization. */
export type BucketQuery = {
  organizationId: string;
  of: 'all' | 'completions' | 'embeddings';
  by: readonly BucketDimension[];
  /** Unix ms, multiples of `widthMs`: `from` is inclusive, `to` exclusive. */
  from: number;
  until: number;
  widthMs: number;
  /** Only calls with one of these values; for line items, only these items. */
  only: Partial<Record<BucketDimension, readonly string[]>>;
  /** True if the providers of routed calls are hidden. */
  hidesTargets: boolean;
};

/** Sums of the token counts of `Usage`. */
export type BucketSums = Record<TokenCount, number> & {
  calls: number;
  /** The cost of calls with a known cost; `withoutCost` counts the others. */
  cost: NanoDollars;
  withoutCost: number;
  /** The quantity of a line item: tokens, or calls of a tool; 0 if calls are not grouped by line item. */
  quantity: number;
};

/** One combination of dimensions in one bucket; `null` if its calls have no such value. */
export type BucketRow = {
  /** The bucket's start, in Unix ms. */
  start: number;
  values: Partial<Record<BucketDimension, string | null>>;
  sums: BucketSums;
};

export type BucketReader = {
  /**
   * Sums of calls by time, in any order, in parts of at most `REPORT_ROWS_PER_PART` rows, which keeps the messages of
   * the table thread small. Rejects with `invalid_request` if the result is too large.
   */
  buckets(query: BucketQuery): AsyncIterable<readonly BucketRow[]>;
};

/** How many rows of a report the thread that keeps the tables hands on at once. */
export const REPORT_ROWS_PER_PART = 500;

/** All parts together. Other work of the event loop runs between two parts. */
export async function allBuckets({ buckets }: BucketReader, query: BucketQuery): Promise<BucketRow[]> {
  const rows: BucketRow[] = [];
  for await (const part of buckets(query)) for (const row of part) rows.push(row);
  return rows;
}

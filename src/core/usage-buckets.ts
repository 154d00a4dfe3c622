import type { NanoDollars } from './money.ts';
import type { TokenCount } from './usage.ts';

/** What the usage of an organization may be taken apart by. `project` and `user` are those of the key, as it is now. */
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

/** Which settled calls of an organization are added up, and by what. */
export type BucketQuery = {
  organizationId: string;
  of: 'all' | 'completions' | 'embeddings';
  by: readonly BucketDimension[];
  /** Unix ms, multiples of `widthMs`: the first moment that is added up, and the first that is not. */
  from: number;
  until: number;
  widthMs: number;
  /** Only calls that have one of these; where a line item is named, only these items. */
  only: Partial<Record<BucketDimension, readonly string[]>>;
  /** Who served the calls of a route is not told: they are of no provider. */
  hidesTargets: boolean;
};

/** Tokens as `Usage` has them, added up. */
export type BucketSums = Record<TokenCount, number> & {
  calls: number;
  /** Of the calls whose cost is known; the others are counted in `withoutCost`. */
  cost: NanoDollars;
  withoutCost: number;
  /** Of a line item: tokens, or calls of a tool; 0 where calls are not taken apart by them. */
  quantity: number;
};

/** One combination of what was asked for within one bucket; `null` where its calls have no such thing. */
export type BucketRow = {
  /** Unix ms of the bucket's beginning. */
  start: number;
  values: Partial<Record<BucketDimension, string | null>>;
  sums: BucketSums;
};

export type BucketReader = {
  /**
   * Sums of calls by time, in no order, in parts of at most `BUCKET_ROWS_PER_PART` rows: each part is a small message from the
   * thread that keeps the tables. Rejects with `invalid_request` where that is too much.
   */
  buckets(query: BucketQuery): AsyncIterable<readonly BucketRow[]>;
};

export const BUCKET_ROWS_PER_PART = 500;

/** All parts together. Others have their turn between two parts. */
export async function allBuckets({ buckets }: BucketReader, query: BucketQuery): Promise<BucketRow[]> {
  const rows: BucketRow[] = [];
  for await (const part of buckets(query)) for (const row of part) rows.push(row);
  return rows;
}

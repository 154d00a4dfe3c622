import type { NanoDollars } from './money.ts';
import type { Source } from './records.ts';

/** The dimensions of a usage summary. `day` is a UTC day. */
export const SUMMARY_DIMENSIONS = ['key', 'model', 'product', 'tool', 'source', 'route', 'provider', 'day'] as const;
export type SummaryDimension = (typeof SUMMARY_DIMENSIONS)[number];

/** The measures that rows can be sorted by, highest first. */
export const SUMMARY_MEASURES = ['cost', 'calls', 'tokens', 'cached_tokens', 'failed_calls'] as const;
export type SummaryMeasure = (typeof SUMMARY_MEASURES)[number];

/** The name for all models and tools of a key's day beyond the limit of distinct names. */
export const OTHER_NAMES = 'other';

/** Sums over settled calls. */
export type UsageSums = {
  calls: number;
  failed: number;
  /** Calls whose tokens the gateway counted. */
  estimated: number;
  inputTokens: number;
  /** Part of the input. */
  cachedTokens: number;
  outputTokens: number;
  /** The cost of calls with a known cost; `withoutCost` counts the others. */
  cost: NanoDollars;
  withoutCost: number;
  /** The vendors' charges, of calls where they are known. */
  vendorCost: NanoDollars;
  withoutVendorCost: number;
  /** Calls whose model and tool are `other`, because their key had used too many names that day. */
  underOther: number;
  /** Calls with more than one attempt, at the same target or another. */
  retried: number;
};

/** Selects and groups settled calls of an organization (`null`: of all). */
export type SummaryQuery = {
  organizationId: string | null;
  by: readonly SummaryDimension[];
  /** Unix ms. Their whole UTC days are included, the first and the last too. */
  from: number;
  through: number;
  keyId?: string;
  /** Only usage of keys of this project. */
  projectId?: string;
  /** The model's name in the catalog. */
  model?: string;
  product?: string;
  /** A tool's name. */
  tool?: string;
  source?: Source;
  route?: string;
  provider?: string;
  /** True if the providers of routed calls are hidden. */
  hidesTargets: boolean;
  /** `false`: the previous period is not summed up, and its sums are zero. */
  isCompared?: false;
  /** The most rows; the others are summed up in one. */
  limit: number;
  /** Default: cost. */
  orderBy?: SummaryMeasure;
  /**
   * The most combinations of names (without days) with rows of their own: those with the highest values in the whole
   * period. The others share one row, or one per day. Default: all.
   */
  top?: number;
};

/** The sums of a period, and of the previous period of the same length. */
export type ComparedSums = { sums: UsageSums; previous: UsageSums };

/** One combination of dimensions; `null` if its calls have no such value. `day` has the form `2026-11-21`. */
export type SummaryRow = ComparedSums & {
  values: Partial<Record<SummaryDimension, string | null>>;
  /** The name of the key, if keys are a dimension and the key exists. */
  keyName: string | null;
  /** For the row of everything beyond the query's `top`: the number of combinations. It has no names. */
  restOf?: number;
};

export type UsageSummary = {
  /** Unix ms; `from` is inclusive, `to` exclusive. The previous period ends at `from`. */
  from: number;
  until: number;
  previousFrom: number;
  totals: ComparedSums;
  /** Sorted by the query's measure, highest first; by day, latest first, if days are a dimension. */
  rows: SummaryRow[];
  /** The sums of all rows beyond `limit`, and their number; `null` if there are none. */
  rest: (ComparedSums & { rows: number }) | null;
};

export type SummaryReader = {
  /**
   * Sums of whole UTC days, with those of the same number of days before. Rejects with `invalid_request` if the result
   * is too large.
   */
  summarize(query: SummaryQuery): Promise<UsageSummary>;
  /** Yields the summary in parts of at most `REPORT_ROWS_PER_PART` rows, which keeps the messages of the table thread small. */
  summaryParts(query: SummaryQuery): AsyncIterable<SummaryPart>;
};

/** A summary with its first rows; behind it, further rows alone. */
export type SummaryPart = UsageSummary | { rows: SummaryRow[] };

/** All parts together. */
export async function wholeSummary(parts: AsyncIterable<SummaryPart>): Promise<UsageSummary> {
  let whole: UsageSummary | null = null;
  for await (const part of parts) {
    if (whole === null) whole = part as UsageSummary;
    else for (const row of part.rows) whole.rows.push(row);
  }
  return whole!;
}

import type { NanoDollars } from './money.ts';
import type { Source } from './records.ts';

/** What a bill may be taken apart by. `day` is a UTC day. */
export const SUMMARY_DIMENSIONS = ['key', 'model', 'product', 'tool', 'source', 'route', 'provider', 'day'] as const;
export type SummaryDimension = (typeof SUMMARY_DIMENSIONS)[number];

/** What rows are sorted by, the most first. */
export const SUMMARY_MEASURES = ['cost', 'calls', 'tokens', 'cached_tokens', 'failed_calls'] as const;
export type SummaryMeasure = (typeof SUMMARY_MEASURES)[number];

/** The name that stands in the place of models and tools beyond those of a key's day that are told apart. */
export const OTHER_NAMES = 'other';

/** What many settled calls come to. */
export type UsageSums = {
  calls: number;
  failed: number;
  /** Whose tokens were counted by the gateway. */
  estimated: number;
  inputTokens: number;
  /** Of the input. */
  cachedTokens: number;
  outputTokens: number;
  /** Of the calls whose cost is known; the others are counted in `withoutCost`. */
  cost: NanoDollars;
  withoutCost: number;
  /** What the vendors charged, likewise. */
  vendorCost: NanoDollars;
  withoutVendorCost: number;
  /** Calls whose model and tool are told as `other`, since their key had called by too many names that day. */
  underOther: number;
  /** Calls that took more than one attempt: another target answered, or the same one again. */
  retried: number;
};

/** Which calls of an organization (of all where `null`) are added up, and by what. */
export type SummaryQuery = {
  organizationId: string | null;
  by: readonly SummaryDimension[];
  /** Unix ms; the UTC days in which they lie are whole: from the first to the last, both inclusive. */
  from: number;
  through: number;
  keyId?: string;
  /** Only usage of keys of this project. */
  projectId?: string;
  /** By its name in the catalog. */
  model?: string;
  product?: string;
  /** A tool's name. */
  tool?: string;
  source?: Source;
  route?: string;
  provider?: string;
  /** Who served the calls of a route is not told: they are of no provider. */
  hidesTargets: boolean;
  /** `false`: without the period before, whose sums are then those of nothing. */
  isCompared?: false;
  /** How many rows; the others are added up in one. */
  limit: number;
  /** Left out, by cost. */
  orderBy?: SummaryMeasure;
  /**
   * How many combinations of names, days aside, have rows of their own: those that come to most in the whole period. The
   * others are one row, or one of each day. Left out, all have.
   */
  top?: number;
};

/** Sums of a period, and of the one as long before it. */
export type ComparedSums = { sums: UsageSums; previous: UsageSums };

/** One combination of what was asked for; `null` where its calls have no such thing, `day` is like `2026-11-21`. */
export type SummaryRow = ComparedSums & {
  values: Partial<Record<SummaryDimension, string | null>>;
  /** Of the key, where it was asked for and there is one of this id. */
  keyName: string | null;
  /** Of a row of all that is beyond the query's `top`: of how many combinations. It has no names. */
  restOf?: number;
};

export type UsageSummary = {
  /** Unix ms of the first moment that is added up, and of the first that is not; the period before ends where this begins. */
  from: number;
  until: number;
  previousFrom: number;
  totals: ComparedSums;
  /** By the query's measure, the most first; where days were asked for, the last day first. */
  rows: SummaryRow[];
  /** All rows beyond `limit` together, and how many they are; `null` where all are told. */
  rest: (ComparedSums & { rows: number }) | null;
  /** True if all calls are added up; those of an earlier version are in the background. */
  isComplete: boolean;
};

export type SummaryReader = {
  /** Sums of whole UTC days, beside those of as many days before. Rejects with `invalid_request` where that is too much. */
  summarize(query: SummaryQuery): Promise<UsageSummary>;
};

import type { NanoDollars } from './money.ts';

/** What one worker holds of a key's limits and has not told to have used. `spend` is of the period that is named. */
export type Lease = { requests: bigint; tokens: bigint; spend: NanoDollars; period: string | null };

/** A token bucket: `missing` is in 1/60,000 of one, `at` in ms of the machine's monotonic clock. */
export type SharedBucket = { limit: number; missing: number; at: number };

/** What all workers together have told to have used of a key's limits. */
export type SharedLimits = {
  requests: SharedBucket;
  tokens: SharedBucket;
  spend: { period: string; spent: NanoDollars } | null;
};

/** How the limits of one key, or of one budget, stand within a transaction. Absent limits are whole. */
export type FoundLimits = {
  shared: SharedLimits | null;
  own: Lease | null;
  others: readonly Lease[];
  /** What the key has spent in settled calls since a UTC day, through another, as `SpendReader` tells it. */
  spentSince(day: string | null, throughDay?: string | null): NanoDollars;
};

/** What is to be kept of the limits of one key or budget instead. */
export type KeptLimits = { shared: SharedLimits | null; own: Lease | null };

/** What is to be kept, in the order of the ids. `answer` is called right after the commit, before anything else can run. */
export type DecidedLimits<Result> = { kept: readonly KeptLimits[]; answer(): Result };

/** Limits that several processes share by leasing blocks of them. */
export type LeaseStore = {
  /**
   * Reads and writes the limits of keys and budgets in one transaction. `decide` must change nothing itself, since it is
   * asked again where another process was faster. `instanceId` is this process's where it is left out.
   */
  exchange<Result>(
    ids: readonly string[],
    decide: (found: readonly FoundLimits[]) => DecidedLimits<Result>,
    instanceId?: string,
  ): Promise<Result>;
  /** The keys and budgets of which an instance holds leases. */
  heldBy(instanceId: string): Promise<string[]>;
  /** Resolves when what was settled before, by whatever process, is in what keys have spent. */
  catchUp(): Promise<void>;
  /** Forgets all limits and leases. */
  clear(): Promise<void>;
};

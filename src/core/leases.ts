import type { NanoDollars } from './money.ts';

/** Begins the names of instances that lease limits. What they spend is summed for each of them. */
const WORKER = 'worker_';

/** The name of a worker's instance, made of an id that is used once. */
export function workerInstance(id: string): string {
  return `${WORKER}${id}`;
}

export function isWorker(instanceId: string): boolean {
  return instanceId.startsWith(WORKER);
}

/**
 * One worker's account with the limits of a key or budget: what it holds and has not told to have used. Money has two sides, both of
 * the period that is named: `spend` is held, and `told` has been reported as spent, calls that are open included.
 */
export type Lease = {
  requests: bigint;
  tokens: bigint;
  spend: NanoDollars;
  period: string | null;
  told: NanoDollars;
  /** What the ledger had of this worker's spending in the period when the account was opened. */
  before: NanoDollars;
};

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
  /** The same of calls of the worker whose account is `own`. */
  ownSpentSince(day: string | null, throughDay?: string | null): NanoDollars;
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

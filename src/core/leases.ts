import type { NanoDollars } from './money.ts';

/** Prefix of the names of instances that lease limits. Spending is summed per instance. */
const WORKER = 'worker_';

/** The instance name of a worker with a unique id. */
export function workerInstance(id: string): string {
  return `${WORKER}${id}`;
}

export function isWorker(instanceId: string): boolean {
  return instanceId.startsWith(WORKER);
}

/**
 * A worker's share of the limits of a key or budget: what it holds, and what it has not yet reported as used. Both
 * amounts are of the named period: `spend` is held, and `told` has been reported as spent, including open calls.
 */
export type Lease = {
  requests: bigint;
  tokens: bigint;
  spend: NanoDollars;
  period: string | null;
  told: NanoDollars;
  /** The worker's spending in the period according to the ledger, when the account was opened. */
  before: NanoDollars;
};

/** A token bucket. `missing` is in 1/60,000 of a token, `at` in ms of the machine's monotonic clock. */
export type SharedBucket = { limit: number; missing: number; at: number };

/** The use of a key's limits that all workers together have reported. */
export type SharedLimits = {
  requests: SharedBucket;
  tokens: SharedBucket;
  spend: { period: string; spent: NanoDollars } | null;
};

/** The state of the limits of a key or budget within a transaction. Absent limits are unused. */
export type FoundLimits = {
  shared: SharedLimits | null;
  own: Lease | null;
  others: readonly Lease[];
  /** Spending of settled calls between two UTC days, inclusive, as in `SpendReader`. */
  spentSince(day: string | null, throughDay?: string | null): NanoDollars;
  /** `spentSince` for calls of the worker whose account is `own`. */
  ownSpentSince(day: string | null, throughDay?: string | null): NanoDollars;
};

/** The new state of the limits of a key or budget. */
export type KeptLimits = { shared: SharedLimits | null; own: Lease | null };

/** The new states, in the order of the ids. `answer` is called synchronously after the commit. */
export type DecidedLimits<Result> = { kept: readonly KeptLimits[]; answer(): Result };

/** Limits that processes share by leasing blocks. */
export type LeaseStore = {
  /**
   * Reads and writes the limits of keys and budgets in one transaction. `decide` must have no side effects, since it is called
   * again after a conflict with another process. `instanceId` defaults to this process.
   */
  exchange<Result>(
    ids: readonly string[],
    decide: (found: readonly FoundLimits[]) => DecidedLimits<Result>,
    instanceId?: string,
  ): Promise<Result>;
  /** The keys and budgets that an instance holds leases of. */
  heldBy(instanceId: string): Promise<string[]>;
  /** Resolves when all calls settled so far, by any process, count in the spending of keys. */
  catchUp(): Promise<void>;
  /** Forgets all limits and leases. */
  clear(): Promise<void>;
};

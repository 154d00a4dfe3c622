import type { Bucket } from './bucket.ts';
import { GatewayError } from './errors.ts';
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

/** An amount of each limit. */
export type Amounts = { requests: bigint; tokens: bigint; spend: NanoDollars };

/** What a call takes. If less than `spend` but at least `leastSpend` is free, it is admitted and overdraws the limit. */
export type WantedAmounts = Amounts & { leastSpend: NanoDollars };

/** What an instance reports of its lease of one limit. */
export type LeaseReport = {
  /** Taken from the lease and not reported yet. */
  used: bigint;
  /** Reported as used, but was not. */
  back: bigint;
  /** What is left of the lease; negative if more was used than leased. */
  left: bigint;
  /** How much of that stays with the instance, whatever the answer is: its calls may take it meanwhile. */
  keeps: bigint;
};

/** The limit on spending in the present period: the UTC days that it spans; `null`: unbounded. */
export type LeasedPeriod = {
  amount: NanoDollars;
  period: string;
  sinceDay: string | null;
  throughDay: string | null;
};

/** What an instance reports of the limits of one key or budget, and what it asks of them. */
export type LeaseAsk = {
  /** Of the key or budget. */
  id: string;
  requestsPerMinute: number;
  tokensPerMinute: number;
  /** `null` if there is no limit on it, and no open call is held in a period of one that was removed. */
  spend: LeasedPeriod | null;
  reports: { requests: LeaseReport; tokens: LeaseReport; spend: LeaseReport };
  /** The most that the instance holds in reserve. */
  blocks: Amounts;
  /** `null`: it only reports. */
  wanted: WantedAmounts | null;
  /** Whether reported spending may be less than what was spent: a limit that was away counts nothing. */
  isUnsure: boolean;
  hasOpenCalls: boolean;
  /** Whether it gives the lease back, as far as no call is open. */
  isLeaving: boolean;
};

/** One exchange of an instance. */
export type LeaseExchange = {
  /**
   * Counts up by one for each exchange of the instance, from 1. An exchange that is sent again under its number changes
   * nothing and has the same answer, so that no grant is lost with a broken connection.
   */
  number: number;
  /** Each of another id. */
  asks: readonly LeaseAsk[];
};

/** `storage_unavailable`, of an exchange that has changed nothing in the attempt that failed. */
export class ExchangeNotDone extends GatewayError {
  constructor({ message, cause }: GatewayError) {
    super('storage_unavailable', message, { cause });
  }
}

/** The state of the limits of one key or budget after an exchange. */
export type LeaseGrant = {
  /** What the instance holds now, in addition to what was wanted. */
  holds: Amounts;
  /** Whether the store has a lease of the instance. */
  isLeased: boolean;
  /** Whether it had too little for what was wanted. */
  isRefused: boolean;
  /** What the instance may use if the others use all that they hold. `at` is of the store's clock. */
  requests: Bucket;
  tokens: Bucket;
  spendLeft: NanoDollars;
  /** What the others hold. */
  others: Amounts;
};

/** The answer to an exchange, in the order of its asks. */
export type LeaseAnswer = {
  /** Whether all that was wanted was taken. If not, nothing was. */
  isGranted: boolean;
  grants: readonly LeaseGrant[];
};

/** Limits that processes share by leasing blocks. The store's clock refills them. */
export type LeaseStore = {
  /**
   * Reports usage, returns surplus, and takes what is wanted, in one transaction: from all limits or from none. Rejects with
   * `ExchangeNotDone` if this attempt has changed nothing, else with `storage_unavailable`; then it may have been done or
   * not, and is to be sent again.
   */
  exchange(exchange: LeaseExchange): Promise<LeaseAnswer>;
  /**
   * Ends the leases of a dead instance. Requests and tokens that it held count as used. Of money exactly what it spent counts,
   * and all else is free at once: so its calls must be settled first.
   */
  end(instanceId: string): Promise<void>;
  /** Resolves when all calls settled so far, by any process, count in the spending of keys. */
  catchUp(): Promise<void>;
  /** Forgets all limits and leases. */
  clear(): Promise<void>;
};

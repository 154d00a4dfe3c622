import type { Route } from '../load/order.ts';
import type { Workload } from '../workloads.ts';

/** The upstream of a contestant. `url` has no path; `caFile`: the certificate authority, if it uses TLS. */
export type Vendor = { url: string; caFile: string | null };

/** A running gateway. `pid` is the process whose family does its work. */
export type Contestant = AsyncDisposable & {
  pid: number;
  /** The routes of the workloads that it can do. */
  routes: Readonly<Partial<Record<Workload, Route>>>;
  /** Fails unless it has a record of each of this many answers. */
  assertRecorded?(answers: number): Promise<void>;
};

/** A gateway that can be started. */
export type Starter = {
  name: string;
  /** Its description in the report. */
  about: string;
  /** True if a run continues without it if it does not start or answers wrongly. */
  optional: boolean;
  /**
   * Prepares the start, and installs what is missing, which may take minutes. Returns why this is impossible, or
   * `null`.
   */
  prepare(): string | null;
  start(vendor: Vendor): Promise<Contestant>;
};

import type { Route } from '../load/order.ts';
import type { Workload } from '../workloads.ts';

/** The upstream that a contestant stands before. `url` has no path; `caFile` is who vouches for it where it speaks TLS. */
export type Vendor = { url: string; caFile: string | null };

/** A gateway that runs. `pid` is the process whose family does its work. */
export type Contestant = AsyncDisposable & {
  pid: number;
  /** Where it takes each workload; one that is not named it cannot do. */
  routes: Readonly<Partial<Record<Workload, Route>>>;
  /** Fails unless it has a record of each of so many answers. */
  assertRecorded?(answers: number): Promise<void>;
};

/** A gateway that can be started. */
export type Starter = {
  name: string;
  /** How it is told in the report. */
  about: string;
  /** Whether a run goes on without it where it does not start or does not answer as it should. */
  optional: boolean;
  /** Makes it ready to be started, installing what is missing; why that cannot be, or `null`. May take minutes. */
  prepare(): string | null;
  start(vendor: Vendor): Promise<Contestant>;
};

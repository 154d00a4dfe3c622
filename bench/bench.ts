import type { Load, Upstream } from './helpers.ts';
import type { Part, Sample } from './report/samples.ts';

/** A run of the benchmark, for its parts. */
export type Bench = {
  rounds: number;
  seconds: number;
  /** How long each workload runs before it is measured: compilers need some seconds, however short the rounds are. */
  warmSeconds: number;
  upstream: Upstream;
  load: Load;
  /** Stores a measurement and reports it. */
  keep(sample: Sample): void;
  /** Adds a note to the report: what was left out, and why. */
  note(text: string): void;
  /** True if the run includes this part. */
  wants(part: Part): boolean;
};

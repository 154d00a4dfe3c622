import type { Load, Upstream } from './helpers.ts';
import type { Part, Sample } from './report/samples.ts';

/** One run of the benchmark, as its parts see it. */
export type Bench = {
  rounds: number;
  seconds: number;
  /** How long each workload is driven before it is measured: compilers need some seconds, however short the rounds are. */
  warmSeconds: number;
  upstream: Upstream;
  load: Load;
  /** Keeps a measurement, and says that it was made. */
  keep(sample: Sample): void;
  /** For whoever reads the report: what was left out, and why. */
  note(text: string): void;
  /** Whether the run was asked for this part. */
  wants(part: Part): boolean;
};

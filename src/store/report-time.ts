import { setImmediate as turn } from 'node:timers/promises';

/** What a step counts at least, in ms: the system may tell of short ones only every few ms. */
const LEAST_MS = 0.01;

/**
 * The time of a processor that one report may take, in this thread. Its steps are short, and between them whoever else wants something
 * of the tables has its turn; only the steps count, and not what they wait for a processor, so that a busy machine refuses no report.
 */
export class ReportTime {
  readonly #mostMs: number;
  #spentMs = 0;

  /** @param mostMs - `null`: as long as it takes */
  constructor(mostMs: number | null) {
    this.#mostMs = mostMs ?? Number.POSITIVE_INFINITY;
  }

  get isOver(): boolean {
    return this.#spentMs >= this.#mostMs;
  }

  /** Does one step, of some ms at most, and lets others go on behind it. */
  async step<Result>(work: () => Result | Promise<Result>): Promise<Awaited<Result>> {
    const startedAt = cpuMs();
    try {
      return await work();
    } finally {
      this.#spentMs += Math.max(LEAST_MS, cpuMs() - startedAt);
      await turn();
    }
  }
}

/** What this thread has had of a processor, in ms. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

import { setImmediate as turn } from 'node:timers/promises';

/**
 * The time that one report may be worked at. Its steps are short, and between them whoever else wants something of the
 * tables has its turn; only the steps count.
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
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#spentMs += performance.now() - startedAt;
      await turn();
    }
  }
}

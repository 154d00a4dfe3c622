import assert from 'node:assert/strict';

/** How many of a thing there are. */
const SIZES = [1000, 2000, 4000, 8000] as const;
/** Before work is said to grow too fast, each size is measured so often: other work on the machine makes it longer, never shorter. */
const RUNS = 5;
/** Work is repeated until it has taken so many ms in all: the clock of CPU time ticks every few of them. */
const LEAST_MS = 20;
/** The same where it seems to grow too fast. */
const CLOSELY_MS = 80;
const MOST_REPEATS = 64;
/** Twice as many may take so many times as long. Linear work takes twice as long, quadratic work four times. */
const MOST_GROWTH = 3;
/** What takes less is not told from the clock's noise. */
const NOISE_MS = 1;

/** One piece of work, which does not change its input. */
export type Work<Input> = { make(count: number): Input; run(input: Input): unknown };

/** Fails where the work over twice as many things takes more than three times the CPU time of this thread. */
export function assertLinear<Input>(name: string, work: Work<Input>): void {
  work.run(work.make(SIZES[0]));
  let before = timeOf(work, SIZES[0]);
  for (const count of SIZES.slice(1)) {
    let now = timeOf(work, count);
    for (let run = 1; run < RUNS && growsTooFast(before, now); run += 1) {
      now = run === 1 ? timeOf(work, count, CLOSELY_MS) : Math.min(now, timeOf(work, count, CLOSELY_MS));
      before = run === 1 ? timeOf(work, count / 2, CLOSELY_MS) : Math.min(before, timeOf(work, count / 2, CLOSELY_MS));
    }
    assert.ok(
      !growsTooFast(before, now),
      `${name}: ${count / 2} take ${before.toFixed(1)} ms and ${count} take ${now.toFixed(1)} ms`,
    );
    before = now;
  }
}

function growsTooFast(before: number, now: number): boolean {
  return now > MOST_GROWTH * Math.max(before, NOISE_MS);
}

/** CPU ms of one run. */
function timeOf<Input>({ make, run }: Work<Input>, count: number, leastMs = LEAST_MS): number {
  const input = make(count);
  const before = process.threadCpuUsage();
  let total = 0;
  let times = 0;
  while (total < leastMs && times < MOST_REPEATS) {
    run(input);
    times += 1;
    const { user, system } = process.threadCpuUsage(before);
    total = (user + system) / 1000;
  }
  return total / times;
}

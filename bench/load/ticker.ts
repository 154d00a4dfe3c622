import { parentPort, workerData } from 'node:worker_threads';

/**
 * Wakes its parent thread when requests are due, to about 50 µs: Node's timers have a resolution of 1 ms. The clock is
 * `process.hrtime`, which all threads share.
 */
export type Ticks = { startMs: number; gapMs: number; count: number };

const { startMs, gapMs, count } = workerData as Ticks;
const never = new Int32Array(new SharedArrayBuffer(4));

for (let index = 0; index < count; index += 1) {
  const dueMs = startMs + index * gapMs;
  // A wait may end slightly early, because its time is cut to whole microseconds.
  for (let waitMs = dueMs - monotonicMs(); waitMs > 0; waitMs = dueMs - monotonicMs())
    Atomics.wait(never, 0, 0, waitMs);
  parentPort?.postMessage(null);
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

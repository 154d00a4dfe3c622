import { Worker } from 'node:worker_threads';
import type { Ticks } from './ticker.ts';

/** The ticker needs this time to start. */
const LEAD_MS = 100;

/**
 * Begins `count` requests at intervals of `gapMs`, each by the caller that has rested longest. A request without a free
 * caller begins late, and its wait counts: `dueAt` (of `performance.now()`) is when it should have begun. Resolves when
 * all are answered.
 */
export async function askAtRate<Caller>(
  callers: readonly Caller[],
  { gapMs, count }: { gapMs: number; count: number },
  ask: (caller: Caller, dueAt: number) => Promise<void>,
): Promise<void> {
  // The order matters: if the process is delayed between the two reads, the ticker is late. An early ticker would tick
  // before the last request is due, and nothing would begin it.
  const startAt = performance.now() + LEAD_MS;
  const startMs = Number(process.hrtime.bigint()) / 1e6 + LEAD_MS;
  const workerData: Ticks = { startMs, gapMs, count };
  const ticker = new Worker(new URL('ticker.ts', import.meta.url), { workerData });
  const free = [...callers];
  let begun = 0;
  let answered = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        while (begun < count && free.length > 0 && startAt + begun * gapMs <= performance.now()) {
          const caller = free.shift()!;
          ask(caller, startAt + begun * gapMs).then(() => {
            free.push(caller);
            answered += 1;
            if (answered === count) resolve();
            else begin();
          }, reject);
          begun += 1;
        }
      };
      ticker.on('message', begin);
      ticker.on('error', reject);
    });
  } finally {
    await ticker.terminate();
  }
}

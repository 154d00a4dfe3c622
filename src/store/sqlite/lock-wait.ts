import { setImmediate as turn } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/** How long a statement may block the event loop for the lock: as long as a transaction of ours without rests. Then a turn passes. */
export const BUSY_WAIT_MS = 5;

/** How long a write waits for the lock in all. */
export const LOCK_WAIT_MS = 5_000;

/** Does the work, and does it again on following turns of the event loop while another connection holds the lock. */
export async function waitingForLock<T>(lockWaitMs: number, work: () => T): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > lockWaitMs) throw error;
    }
    await turn();
  }
}

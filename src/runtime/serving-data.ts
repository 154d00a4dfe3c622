import type { Logger } from 'pino';
import type { Storage } from '../core/ports.ts';
import type { StorageOptions } from '../store/front.ts';
import { Heartbeat, PING_EVERY_MS } from './heartbeat.ts';
import { CLOCK, type Setup } from './setup.ts';

/** Who opens a store to serve: under what name, and whether it looks after what all processes of the gateway keep. */
export type Opener = { setup: Setup; log: Logger; instanceId: string; isOwner: boolean };

/** The store of a process that answers no calls: the tables are kept in its only thread. */
export async function openOwnersData({ log, ...opener }: Opener): Promise<Storage> {
  const { openStorage } = await import('../store/storage.ts');
  return openStorage({ ...optionsOf(opener), onNotice: (words) => log.info(words) });
}

/**
 * The store of a process that answers calls: a thread of its own keeps the tables. One that does not answer any more is
 * ended, as a worker would be; another takes its place, and calls go on meanwhile.
 */
export async function openServingData({ log, ...opener }: Opener): Promise<Storage> {
  // Only here: whoever has a thread for its tables need not load what works on them.
  const { openThreadedStorage } = await import('../store/threaded-storage.ts');
  const storage = await openThreadedStorage({
    ...optionsOf(opener),
    onNotice: (words) => log.info(words),
    onThreadDeath: (error) =>
      log.error(
        { err: error },
        'The thread that keeps the tables has ended. Calls go on, and another takes its place.',
      ),
    onThreadRestart: () => log.info('The thread that keeps the tables serves again.'),
  });
  const { workerTimeout } = opener.setup.config.server;
  const heartbeat = new Heartbeat({
    timeoutMs: workerTimeout,
    // One that serves has opened the tables: nothing is left to wait for.
    startTimeoutMs: workerTimeout,
    members: storage.threads,
    onSilent(thread, silentMs) {
      log.error({ silent_ms: silentMs }, 'The thread that keeps the tables has not answered, and is ended.');
      thread.kill();
    },
    now: CLOCK.monotonic,
  });
  const beating = setInterval(() => heartbeat.beat(), PING_EVERY_MS).unref();
  return {
    ...storage,
    async close() {
      await storage.close();
      clearInterval(beating);
    },
  };
}

function optionsOf({ setup, instanceId, isOwner }: Omit<Opener, 'log'>): StorageOptions {
  const { folder, config } = setup;
  return { folder, instanceId, durability: config.server.ledgerDurability, preparesOldCalls: isOwner };
}

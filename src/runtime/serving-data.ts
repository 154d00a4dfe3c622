import { extname } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Storage } from '../core/ports.ts';
import type { StorageOptions } from '../store/journaled-storage.ts';
import { engine } from '../store/open.ts';
import { endedCallLines } from '../telemetry/call-lines.ts';
import { lineReader } from '../telemetry/log.ts';
import { Heartbeat, PING_EVERY_MS } from './heartbeat.ts';
import { CLOCK, type Setup } from './setup.ts';
import type { TableThreadOwn } from './table-thread-entry.ts';

/** The process that opens a store to serve. */
export type Opener = {
  setup: Setup;
  log: Logger;
  /** The name of its journal. */
  instanceId: string;
  /** True if it looks after what all processes of the gateway keep. */
  isOwner: boolean;
  /** True if its gateway answers calls yet. */
  serves(): boolean;
};

/** The file of the table thread, from the sources or from the build. */
const TABLE_THREAD = new URL(`./table-thread-entry${extname(import.meta.url)}`, import.meta.url);

/** How long the table thread repeatedly yields to threads that answer calls, in ms, while it works. */
const REST_MS = 0.3;

/** True if each call is logged. */
export function tellsCalls({ server }: Config, log: Logger): boolean {
  return server.logCalls && log.isLevelEnabled('info');
}

/** The store of a process that answers no calls, which updates the tables in its only thread. */
export async function openOwnersData({ log, ...opener }: Opener): Promise<Storage> {
  // For calls of a dead worker.
  const lines = tellsCalls(opener.setup.config, log) ? endedCallLines(lineReader()) : null;
  const onEnded = lines === null ? undefined : lines.add.bind(lines);
  return engine.openStorage({ ...optionsOf(opener), onEnded });
}

/**
 * The store of a process that answers calls, with a thread of its own for the tables. A thread that no longer answers is
 * replaced, as a worker would be, while calls continue.
 */
export async function openServingData({ log, ...opener }: Opener): Promise<Storage> {
  const own: TableThreadOwn = { reader: tellsCalls(opener.setup.config, log) ? lineReader() : null };
  const storage = await engine.openThreadedStorage({
    ...optionsOf(opener),
    entry: { file: TABLE_THREAD, own },
    // An owner that answers calls is the only such process, so none waits for the tables or the lock of leases.
    restMs: opener.isOwner ? REST_MS : 0,
    onThreadDeath: (error) =>
      log.error(
        { err: error },
        'The thread that keeps the tables has ended. Calls go on, and another takes its place.',
      ),
    onThreadRestart: () => log.info('The thread that keeps the tables serves again.'),
  });
  const { workerTimeout, workerStartTimeout } = opener.setup.config.server;
  const heartbeat = new Heartbeat({
    timeoutMs: workerTimeout,
    startTimeoutMs: workerStartTimeout,
    members: storage.threads,
    serves: () => opener.serves(),
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

function optionsOf({ setup, instanceId }: Omit<Opener, 'log'>): StorageOptions {
  const { folder, config } = setup;
  return { folder, instanceId, durability: config.server.ledgerDurability };
}

import { GatewayError } from '../../core/errors.ts';
import { ExchangeNotDone, type LeaseStore } from '../../core/leases.ts';
import type { ThreadedStorage, ThreadedStorageOptions } from '../engine.ts';
import { storageUnavailable } from '../errors.ts';
import type { JournaledLedger } from '../journal/ledger.ts';
import { openJournaling, storageOver } from '../journaled-storage.ts';
import { diskReason, isValueFault } from './errors.ts';
import { createLeaseStore } from './leases.ts';
import { LOCK_WAIT_MS } from './lock-wait.ts';
import { onCallPath } from './thread/on-call-path.ts';
import { remoteTables } from './thread/remote-tables.ts';
import { TableThread } from './thread/table-thread.ts';

/** How long one report may be worked at, in ms. Others want to be answered, too. */
const REPORT_MS = 200;

/** How long a look at the tables waits for their thread, in ms, before it goes by what was heard of it last. */
const LOOK_MS = 1_000;

/**
 * Opens the embedded store for a process that answers calls: this thread writes the journal, hands out leases, and looks up
 * keys on a connection that only reads; all other work on tables is another's. Throws a `StorageOpenError` or a `DataFolderError`.
 */
export async function openThreadedStorage(options: ThreadedStorageOptions): Promise<ThreadedStorage> {
  const { folder, instanceId, durability, entry, onThreadDeath, onThreadRestart } = options;
  const { lockWaitMs = LOCK_WAIT_MS, restMs = 0 } = options;
  const journaling = openJournaling(options, () => tables.upkeep, diskReason);
  const thread = await TableThread.open({
    options: { folder, instanceId, durability, lockWaitMs, reportMs: REPORT_MS, restMs },
    entry,
    acknowledged() {
      journaling.ledger.flush();
      return journaling.ledger.place;
    },
    hear: journaling.hear,
    onDeath: onThreadDeath,
    onRestart: onThreadRestart,
  });
  const tables = remoteTables(thread);
  const { close: closeReader, ...onPath } = onCallPath(tables, thread, folder);
  const { ledger } = journaling;
  const demandSettled = () => demandAllIn(ledger);
  // A worker that closes its account of a budget leaves the sum to the tables, so they must have all that it has settled.
  const catchUp = async () => {
    demandSettled();
    await onPath.leases.catchUp();
  };
  // In this thread, so that a call that lacks a lease never waits for what the tables are doing.
  const { exchange: exchangeAny, close: closeLeases } = createLeaseStore({
    folder,
    instanceId,
    lockWaitMs,
    catchUp,
    onFailure(error) {
      if (!isValueFault(error)) journaling.disk.failed('tables', error);
    },
  });
  const exchange = onceSettled(exchangeAny, demandSettled);
  /** A thread that is being started again is no reason to send no calls here: the journal holds them. */
  const read = async () => {
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), LOOK_MS);
    try {
      if ((await Promise.race([tables.upkeep.read(), late])) !== 'late') return;
      if (thread.silentMs > lockWaitMs)
        throw storageUnavailable(new Error('The thread that keeps the tables is silent.'));
    } catch (error) {
      if (thread.running !== null || thread.silentMs > lockWaitMs) throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    ...storageOver({
      ...journaling,
      tables: {
        ...tables,
        ...onPath,
        leases: { ...onPath.leases, catchUp, exchange },
        upkeep: { ...tables.upkeep, read },
      },
      async close() {
        await closeLeases();
        await closeReader();
        await thread.close();
      },
    }),
    threads: () => (thread.running === null ? [] : [thread.running]),
  };
}

/** Throws while the journal lacks a settlement: if this process died, its call would count with all that was held. */
function demandAllIn(ledger: JournaledLedger): void {
  ledger.flush();
  ledger.settleLate();
  if (ledger.hasLate) throw storageUnavailable(new Error('The journal lacks settlements that the disk refused.'));
}

/** Other processes may spend what an exchange gives back, so the journal must have what gave it back here. */
function onceSettled(exchange: LeaseStore['exchange'], demandSettled: () => void): LeaseStore['exchange'] {
  return async (asked) => {
    try {
      demandSettled();
    } catch (error) {
      throw new ExchangeNotDone(error instanceof GatewayError ? error : storageUnavailable(error));
    }
    return exchange(asked);
  };
}

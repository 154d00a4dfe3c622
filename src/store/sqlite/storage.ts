import type { Storage } from '../../core/ports.ts';
import { openJournaling, type StorageOptions, storageOver } from '../journaled-storage.ts';
import { diskReason } from './errors.ts';
import { LOCK_WAIT_MS } from './lock-wait.ts';
import { openTables } from './tables.ts';

/**
 * Opens the embedded store, with its tables in this thread: for commands, and for processes that answer no calls. Throws a
 * `StorageOpenError` or a `DataFolderError`, with a sentence for the operator.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { folder, instanceId, durability } = options;
  const { lockWaitMs = LOCK_WAIT_MS } = options;
  const journaling = openJournaling(options, () => tables.upkeep, diskReason);
  const { ledger } = journaling;
  const acknowledged = () => {
    ledger.flush();
    return ledger.place;
  };
  const tables = await openTables(
    {
      folder,
      instanceId,
      durability,
      lockWaitMs,
      reportMs: null,
      acknowledged,
      leaseNow: options.leaseNow,
    },
    journaling.hear,
    options.onEnded,
  );
  return storageOver({ tables, ...journaling, close: () => tables.close() });
}

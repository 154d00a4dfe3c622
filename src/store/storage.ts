import type { Storage } from '../core/ports.ts';
import { createFront, type StorageOptions, storageOver } from './front.ts';
import { LOCK_WAIT_MS } from './sqlite/lock-wait.ts';
import { openTables } from './tables.ts';

/**
 * Opens the embedded store, with its tables in this thread: for commands, and for processes that answer no calls. Throws a
 * `StorageOpenError` or a `DataFolderError`, with a sentence for the operator.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { folder, instanceId, durability } = options;
  const { lockWaitMs = LOCK_WAIT_MS, preparesOldCalls = false } = options;
  const front = createFront(options, () => tables.upkeep);
  const { ledger } = front;
  const acknowledged = () => {
    ledger.flush();
    return ledger.place;
  };
  const tables = await openTables(
    { folder, instanceId, durability, lockWaitMs, reportMs: null, preparesOldCalls, acknowledged },
    front.hear,
    options.onEnded,
  );
  return storageOver({ instanceId, tables, ...front, close: () => tables.close() });
}

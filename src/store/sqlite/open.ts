import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedHeadError, readAuditHead } from '../audit-head.ts';
import { StorageOpenError } from '../errors.ts';
import { DataFolderError, makePrivateFile, requireDataFolder } from '../folder.ts';
import type { Durability } from '../tables.ts';
import { BUSY_WAIT_MS, waitingForLock } from './lock-wait.ts';
import { migrate } from './migrate.ts';

export const DATABASE_FILE = 'headgate.db';

/**
 * Opens the database of a data folder, makes both where they are missing, and brings its schema up to date. Throws a
 * `StorageOpenError` or a `DataFolderError`.
 */
export async function openDatabase(folder: string, durability: Durability, lockWaitMs: number): Promise<DatabaseSync> {
  const path = join(folder, DATABASE_FILE);
  let database: DatabaseSync | undefined;
  try {
    requireDataFolder(folder);
    makePrivateFile(path);
    const opened = new DatabaseSync(path, { timeout: BUSY_WAIT_MS, enableForeignKeyConstraints: true });
    database = opened;
    await waitingForLock(lockWaitMs, () => configure(opened, durability));
    await waitingForLock(lockWaitMs, () => migrate(opened));
    demandWhatWasKept(opened, folder);
    return opened;
  } catch (error) {
    database?.close();
    if (error instanceof DataFolderError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageOpenError(`The database ${path} cannot be used: ${reason}.`, { cause: error });
  }
}

/** Throws if the database has nothing in it, and the head of the audit log beside it tells of one that had. */
function demandWhatWasKept(database: DatabaseSync, folder: string): void {
  if (database.prepare('select 1 from organizations limit 1').get() !== undefined) return;
  const told = headText(folder);
  if (told === null) return;
  throw new Error(
    `it is empty, and audit-head.json beside it ${told}: ` +
      'restore the database from a backup, or take audit-head.json away to begin anew',
  );
}

/** What the head says of a log that had something in it; `null` if it says nothing. */
function headText(folder: string): string | null {
  try {
    const { entries = 0 } = readAuditHead(folder) ?? {};
    return entries === 0 ? null : `tells of an audit log of ${entries} entries`;
  } catch (error) {
    if (error instanceof DamagedHeadError) return error.message;
    throw error;
  }
}

function configure(database: DatabaseSync, durability: Durability): void {
  const mode = database.prepare('pragma journal_mode = wal').get()?.journal_mode;
  if (mode !== 'wal') throw new Error(`its file system has no shared memory for a write-ahead log (mode ${mode})`);
  database.exec(`pragma synchronous = ${durability}`);
}

import type { Storage } from '../../core/ports.ts';
import { StorageOpenError } from '../errors.ts';
import { DataFolderError, requireDataFolder } from '../folder.ts';
import { openJournaling, type StorageOptions, storageOver } from '../journaled-storage.ts';
import type { Tables } from '../tables.ts';
import { createAdministration } from './administration.ts';
import { kyselyOver } from './driver.ts';
import { diskReason, isValueFault } from './errors.ts';
import { createLedgerTables } from './ledger-tables.ts';
import { openDatabase } from './open.ts';
import type { PostgresPool } from './pool.ts';

export type PostgresStorageOptions = StorageOptions & {
  /** Of the database: `postgres://…` */
  url: string;
  /** How long one report may be worked at, in ms. Default: as long as it takes. */
  reportMs?: number;
};

/** How long a change waits for others, in ms. */
const LOCK_WAIT_MS = 5_000;

/**
 * Opens the store whose journal is in the data folder and whose tables are in Postgres. Rejects with a `StorageOpenError` or a
 * `DataFolderError`, with a sentence for the operator.
 */
export async function openStorage(options: PostgresStorageOptions): Promise<Storage> {
  prepareFolder(options.folder);
  const pool = await openDatabase({ url: options.url });
  try {
    return storageOn(pool, options);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

function storageOn(pool: PostgresPool, options: PostgresStorageOptions): Storage {
  const { folder, instanceId, lockWaitMs = LOCK_WAIT_MS, reportMs = null, leaseNow, onEnded } = options;
  const journaling = openJournaling(options, () => ledgerTables.upkeep, diskReason);
  const { ledger } = journaling;
  /** A value that the tables refuse says nothing of the database. */
  const onFailure = (error: unknown) => {
    if (!isValueFault(error)) journaling.hear({ event: 'failed', error });
  };
  const db = kyselyOver(pool, onFailure);
  const acknowledged = () => {
    ledger.flush();
    return ledger.place;
  };
  const ledgerTables = createLedgerTables({
    pool,
    db,
    options: { folder, instanceId, reportMs, acknowledged, leaseNow },
    tell: journaling.hear,
    onEnded,
  });
  const { catchUp, close, ...ledgers } = ledgerTables;
  const administration = createAdministration({ pool, db, folder, lockWaitMs, catchUp, onFailure });
  const tables: Tables = { ...administration, ...ledgers };
  return storageOver({
    tables,
    ...journaling,
    async close() {
      await close();
      await pool.close();
    },
  });
}

function prepareFolder(folder: string): void {
  try {
    requireDataFolder(folder);
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageOpenError(`The data folder ${folder} cannot be used: ${reason}.`, { cause: error });
  }
}

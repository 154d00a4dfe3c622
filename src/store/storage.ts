import { writeSync } from 'node:fs';
import { Kysely } from 'kysely';
import type { Storage } from '../core/ports.ts';
import { createCallReader } from './calls.ts';
import { createFeedbackStore } from './feedback.ts';
import { createKeyStore } from './keys.ts';
import { createLeaseStore } from './leases.ts';
import { createModelStore } from './models.ts';
import { createOrganizationStore } from './organizations.ts';
import { purgeCalls } from './purge.ts';
import { recoverCalls } from './recover.ts';
import { createRouteStore } from './routes.ts';
import type { Schema } from './schema.ts';
import { createSpendReader } from './spend.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { isValueFault, storageUnavailable } from './sqlite/errors.ts';
import { createLedger, MAX_QUEUED_WRITES } from './sqlite/ledger.ts';
import { type Durability, openDatabase } from './sqlite/open.ts';
import { BUSY_PATIENCE_MS } from './sqlite/patience.ts';
import { createUsageReader } from './usage.ts';
import { checkWriting, type Write, Writes } from './writes.ts';

export type StorageOptions = {
  /** The data folder; it and the database in it are made where they are missing. */
  folder: string;
  /** Names this process in the calls it opens. A name is used once: calls of every other are taken for abandoned. */
  instanceId: string;
  durability: Durability;
  /** Default `MAX_QUEUED_WRITES`. */
  maxQueuedWrites?: number;
  /** How long a write may wait for another process, in milliseconds. Default `BUSY_PATIENCE_MS`. */
  patienceMs?: number;
  /** Writes to the journal; a test makes it fail. */
  writeJournal?: Write;
  /** Monotonic ms. */
  now?: () => number;
};

/** Opens the embedded store. Throws a `StorageOpenError` or a `DataFolderError`, with a sentence for the operator. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { folder, instanceId, durability } = options;
  const { maxQueuedWrites = MAX_QUEUED_WRITES, patienceMs = BUSY_PATIENCE_MS } = options;
  const { writeJournal = writeSync, now = () => performance.now() } = options;
  const database = await openDatabase(folder, durability, patienceMs);
  const writes = new Writes(now);
  /** A value that the tables refuse says nothing of the disk. */
  const onFailure = (error: unknown) => {
    if (!isValueFault(error)) writes.failed('tables', error);
  };
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, patienceMs, onFailure) });
  const ledger = createLedger(database, {
    folder,
    instanceId,
    sync: durability === 'full',
    maxQueuedWrites,
    patienceMs,
    now,
    writes,
    write: writeJournal,
  });
  const { catchUp } = ledger;
  const checkDisk = () => {
    try {
      checkWriting(folder, writeJournal);
      writes.succeeded('journal');
    } catch (error) {
      writes.failed('journal', error);
      throw storageUnavailable(error);
    }
  };
  const check = async () => {
    checkDisk();
    await catchUp();
    await writeAndRead(db);
    writes.succeeded('tables');
  };
  return {
    keys: createKeyStore(db),
    organizations: createOrganizationStore(db),
    ledger,
    usage: createUsageReader(db, catchUp),
    calls: createCallReader(db, catchUp),
    spend: createSpendReader(db, catchUp),
    leases: createLeaseStore(database, { instanceId, patienceMs, catchUp, onFailure }),
    routes: createRouteStore(db),
    models: createModelStore(db),
    feedback: createFeedbackStore(db),
    async recover(now) {
      await catchUp();
      const recovered = await recoverCalls(db, ledger.settleNow, { allBut: instanceId }, now);
      await ledger.forgetOthers();
      return recovered;
    },
    async recoverFrom(dead, now) {
      await catchUp();
      const recovered = await recoverCalls(db, ledger.settleNow, { only: dead }, now);
      await ledger.forget(dead);
      return recovered;
    },
    async purge(before) {
      await catchUp();
      return purgeCalls(db, before);
    },
    check,
    trouble: () => writes.trouble,
    onTrouble: (listener) => writes.onTrouble(listener),
    async look() {
      try {
        if (writes.trouble !== null) await check();
        else {
          if (writes.isCheckDue) checkDisk();
          await read(db);
        }
        return null;
      } catch (error) {
        return writes.trouble ?? { reason: 'failing', cause: error };
      }
    },
    async close() {
      await ledger.close();
      if (database.isOpen) database.close();
    },
  };
}

async function read(db: Kysely<Schema>): Promise<void> {
  await db.selectFrom('counters').select('value').where('name', '=', 'checks').executeTakeFirstOrThrow();
}

/** The row that comes back is read after it was written. */
async function writeAndRead(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('counters')
    .set(({ eb }) => ({ value: eb('value', '+', 1n) }))
    .where('name', '=', 'checks')
    .returning('value')
    .executeTakeFirstOrThrow();
}

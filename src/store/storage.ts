import { Kysely } from 'kysely';
import type { Storage } from '../core/ports.ts';
import { createCallReader } from './calls.ts';
import { createFeedbackStore } from './feedback.ts';
import type { JournalOptions } from './journal/journal.ts';
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
import { createLedger, MAX_QUEUED_WRITES } from './sqlite/ledger.ts';
import { type Durability, openDatabase } from './sqlite/open.ts';
import { BUSY_PATIENCE_MS } from './sqlite/patience.ts';
import { createUsageReader } from './usage.ts';

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
  writeJournal?: JournalOptions['write'];
};

/** Opens the embedded store. Throws a `StorageOpenError` with a sentence for the operator. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { folder, instanceId, durability } = options;
  const { maxQueuedWrites = MAX_QUEUED_WRITES, patienceMs = BUSY_PATIENCE_MS } = options;
  const database = await openDatabase(folder, durability, patienceMs);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, patienceMs) });
  const ledger = createLedger(database, {
    folder,
    instanceId,
    sync: durability === 'full',
    maxQueuedWrites,
    patienceMs,
    now: () => performance.now(),
    ...(options.writeJournal === undefined ? {} : { write: options.writeJournal }),
  });
  const { catchUp } = ledger;
  return {
    keys: createKeyStore(db),
    organizations: createOrganizationStore(db),
    ledger,
    usage: createUsageReader(db, catchUp),
    calls: createCallReader(db, catchUp),
    spend: createSpendReader(db, catchUp),
    leases: createLeaseStore(database, { instanceId, patienceMs, catchUp }),
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
    async check() {
      await catchUp();
      await writeAndRead(db);
    },
    async close() {
      await ledger.close();
      if (database.isOpen) database.close();
    },
  };
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

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { EndedCall, Settlement } from '../../core/records.ts';
import { createAuditReader } from '../audit-reader.ts';
import { createCallReader } from '../calls.ts';
import { storageUnavailable } from '../errors.ts';
import { createFeedbackStore } from '../feedback.ts';
import { listJournals, removeJournal } from '../journal/files.ts';
import { refusalOf } from '../journal/steps.ts';
import type { JournalPosition } from '../journal-port.ts';
import { createKeyLookup, createKeyWriter } from '../keys.ts';
import { createModelStore } from '../models.ts';
import { createOrganizationStore } from '../organizations.ts';
import { createPeopleStore } from '../people.ts';
import { createPriceReader } from '../prices.ts';
import { recoverCalls } from '../recover.ts';
import { createRefusedStore } from '../refused-calls.ts';
import { createRouteStore } from '../routes.ts';
import type { Schema } from '../schema.ts';
import { createSettingsStore } from '../settings.ts';
import { createSettingsLists } from '../settings-lists.ts';
import { createSettledReader } from '../settled-calls.ts';
import { createSpendReader } from '../spend.ts';
import type { OpenTables, TablesNews, TablesOptions, Upkeep } from '../tables.ts';
import { createThresholdStore } from '../told-thresholds.ts';
import { createUsageReader } from '../usage-reader.ts';
import { createWebhookStore } from '../webhooks.ts';
import { sqliteDialect } from './driver.ts';
import { isBusy, isValueFault } from './errors.ts';
import { createLeaseStore } from './leases.ts';
import { BUSY_WAIT_MS, waitingForLock } from './lock-wait.ts';
import { nearestKeys } from './nearest-keys.ts';
import { DATABASE_FILE, openDatabase } from './open.ts';
import { createPurge } from './purge.ts';
import { createReading } from './reading.ts';
import { addSearchRank, findKept } from './search.ts';
import { createTakeOver } from './take-over.ts';
import { createTransact } from './transact.ts';

/**
 * Opens the tables for the thread that this runs in. Throws a `StorageOpenError` or a `DataFolderError`.
 *
 * @param onEnded told once of each call that is settled in the tables, a moment after its caller was
 */
export async function openTables(
  options: TablesOptions,
  tell: (news: TablesNews) => void,
  onEnded?: (calls: readonly EndedCall[]) => void,
): Promise<OpenTables> {
  const { folder, instanceId, durability, lockWaitMs, reportMs } = options;
  const database = await openDatabase(folder, durability, lockWaitMs);
  const reading = new DatabaseSync(join(folder, DATABASE_FILE), { timeout: BUSY_WAIT_MS, readOnly: true });
  addSearchRank(reading);
  /** A value that the tables refuse says nothing of the disk. */
  const onFailure = (error: unknown) => {
    if (!isValueFault(error)) tell({ event: 'failed', error });
  };
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, lockWaitMs, onFailure) });
  const read = new Kysely<Schema>({ dialect: sqliteDialect(reading, lockWaitMs, onFailure) });
  const takeOver = createTakeOver(database, folder, {
    onRefused: (error, record) => tell({ event: 'refused', told: refusalOf(record), error }),
    onEnded,
  });
  let told = '';
  /** Since when another process has kept the tables from being written; monotonic ms. */
  let busySince: number | null = null;
  let closed = false;

  /** One batch of this instance's own journals; tells whether there may be more. */
  function takeOverOwn(rest?: () => void): boolean {
    const upTo = options.acknowledged();
    if (upTo === null) return false;
    for (const journal of listJournals(folder)) {
      if (journal.instanceId !== instanceId || journal.file > upTo.file) continue;
      const isLast = journal.file === upTo.file;
      const more = takeOver.read(journal, isLast ? upTo.end : undefined, isLast ? rest : undefined);
      if (more) {
        wrote();
        return true;
      }
      // Nothing is added to a journal that another follows.
      if (!isLast) removeJournal(folder, journal.file);
    }
    // Whoever kept the tables has taken these over as well, or let go of them.
    busySince = null;
    tellHowFar(upTo);
    return false;
  }

  /** Once all is taken over, or nothing more can be for now. */
  function tellHowFar(place: JournalPosition): void {
    const prices = takeOver.newPrices();
    const now = `${place.file} ${place.end}`;
    if (now === told && prices.length === 0) return;
    told = now;
    tell({ event: 'taken-over', taken: { place, prices } });
  }

  function wrote(): void {
    busySince = null;
    tell({ event: 'written' });
  }

  async function catchUpOwn(): Promise<void> {
    while (await waitingForLock(lockWaitMs, () => takeOverOwn())) await turn();
  }

  function removeOwn(): void {
    if (options.acknowledged() === null) return;
    for (const { file, instanceId: owner } of listJournals(folder))
      if (owner === instanceId) removeJournal(folder, file);
  }

  async function catchUp(): Promise<void> {
    try {
      await catchUpOwn();
      for (const other of listJournals(folder)) {
        if (other.instanceId === instanceId) continue;
        while (await waitingForLock(lockWaitMs, () => takeOver.read(other))) await turn();
      }
    } catch (error) {
      throw storageUnavailable(error);
    }
  }

  /** Another process that writes is waited for, as long as anyone waits for it. */
  function noteFailure(error: unknown): void {
    if (isBusy(error)) {
      busySince ??= performance.now();
      if (performance.now() - busySince < lockWaitMs) return;
    }
    tell({ event: 'failed', error });
  }

  async function settle(settlements: readonly Settlement[], owner = instanceId): Promise<void> {
    await catchUp();
    await waitingForLock(lockWaitMs, () => takeOver.settle(settlements, owner)).catch(refuse);
  }

  const purge = createPurge({ database, lockWaitMs, onFailure });
  const upkeep: Upkeep = {
    async takeOver() {
      try {
        while (takeOverOwn(options.rest)) await turn();
      } catch (error) {
        noteFailure(error);
      }
    },
    settle: (settlements) => settle(settlements),
    catchUp,
    async instances() {
      await catchUp();
      const names = new Set([...listJournals(folder).map((journal) => journal.instanceId), ...takeOver.instances()]);
      names.delete(instanceId);
      return [...names];
    },
    async recover(dead, now) {
      await catchUp();
      const recovered = await recoverCalls(db, (settlements) => settle(settlements, dead), dead, now);
      await waitingForLock(lockWaitMs, () => takeOver.removeJournals(dead)).catch(refuse);
      return recovered;
    },
    async forget(dead) {
      await waitingForLock(lockWaitMs, () => takeOver.forget(dead)).catch(refuse);
    },
    async purge(before) {
      await catchUp();
      return purge(before);
    },
    async check() {
      await catchUp();
      await writeAndRead(db);
      wrote();
    },
    async read() {
      await read.selectFrom('counters').select('value').where('name', '=', 'checks').executeTakeFirstOrThrow();
    },
  };

  const transact = createTransact({ database, db, folder, lockWaitMs, onFailure });
  const leases = createLeaseStore({ folder, instanceId, lockWaitMs, now: options.leaseNow, catchUp, onFailure });
  const tables: OpenTables = {
    keys: { ...createKeyLookup(read, catchUp), ...createKeyWriter(db, transact) },
    settings: createSettingsStore({
      db: read,
      transact,
      catchUp,
      lists: createSettingsLists(read, { nearestKeys, search: (...asked) => findKept(read, ...asked) }),
    }),
    people: createPeopleStore(read),
    audit: createAuditReader(read, folder),
    organizations: createOrganizationStore(db, transact),
    usage: createUsageReader({ db: read, reading: createReading(reading), catchUp, reportMs }),
    calls: createCallReader({ db: read, catchUp, reportMs }),
    settled: createSettledReader(read),
    spend: createSpendReader(read, catchUp),
    prices: createPriceReader(read, catchUp),
    leases,
    routes: createRouteStore(db),
    models: createModelStore(db),
    feedback: createFeedbackStore(db),
    thresholds: createThresholdStore({ read, write: db }, catchUp),
    webhooks: createWebhookStore(db),
    refused: createRefusedStore(read, db),
    upkeep,
    async close() {
      if (closed) return;
      closed = true;
      await catchUpOwn()
        .then(removeOwn)
        .catch(() => undefined);
      await leases.close();
      for (const each of [reading, database]) if (each.isOpen) each.close();
    },
  };
  return tables;
}

function refuse(error: unknown): never {
  throw storageUnavailable(error);
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

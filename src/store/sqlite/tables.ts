import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Storage } from '../../core/ports.ts';
import type { EndedCall, Settlement } from '../../core/records.ts';
import { createCallReader } from '../calls.ts';
import { createFeedbackStore } from '../feedback.ts';
import { listJournals, removeJournal } from '../journal/files.ts';
import type { JournalPosition } from '../journal/journal.ts';
import type { LedgerTables, TakenOver } from '../journal/ledger.ts';
import { createKeyLookup, createKeyWriter } from '../keys.ts';
import { createModelStore } from '../models.ts';
import { createOrganizationStore } from '../organizations.ts';
import { createPeopleStore } from '../people.ts';
import { createPriceReader } from '../prices.ts';
import { purgeCalls } from '../purge.ts';
import { type Dead, recoverCalls } from '../recover.ts';
import { createRouteStore } from '../routes.ts';
import type { Schema } from '../schema.ts';
import { createSettingsStore } from '../settings.ts';
import { createSettledReader } from '../settled-calls.ts';
import { createSpendReader } from '../spend.ts';
import { createThresholdStore } from '../told-thresholds.ts';
import { createWebhookStore } from '../webhooks.ts';
import { createAuditReader } from './audit-reader.ts';
import { sqliteDialect } from './driver.ts';
import { isBusy, isValueFault, storageUnavailable } from './errors.ts';
import { createOldCallGrouping, hasUngrouped } from './group-old-calls.ts';
import { createLeaseStore } from './leases.ts';
import { BUSY_WAIT_MS, waitingForLock } from './lock-wait.ts';
import { DATABASE_FILE, type Durability, openDatabase } from './open.ts';
import { addSearchRank } from './search.ts';
import { createOldCallSums, hasUnsummed } from './sum-old-calls.ts';
import { createTakeOver, refusalOf } from './take-over.ts';
import { createTransact } from './transact.ts';
import { createUsageReader } from './usage-reader.ts';

/** What the tables tell without being asked. */
export type TablesNews =
  | { event: 'taken-over'; taken: TakenOver }
  /** A write to the tables was done, or failed for the sake of the disk. */
  | { event: 'written' }
  | { event: 'failed'; error: unknown }
  /** A record that was acknowledged has values that no table takes. `told` is all of it. */
  | { event: 'refused'; told: string; error: unknown }
  /** Calls of an earlier version are made ready for what it did not know: it begins, and how many there were. */
  | { event: 'preparing'; what: PreparedFor }
  | { event: 'prepared'; what: PreparedFor; calls: number };

/** What calls of an earlier version are made ready for. */
export type PreparedFor = 'lists with filters' | 'summaries';

export type TablesOptions = {
  folder: string;
  instanceId: string;
  durability: Durability;
  lockWaitMs: number;
  /** How long one report may be worked at, in ms; `null` for as long as it takes. */
  reportMs: number | null;
  /** Whether calls of an earlier version are made ready, in the background. One process of those that share a folder does. */
  preparesOldCalls: boolean;
  /** How far this instance's journals hold what was acknowledged; `null` where nothing was yet. */
  acknowledged(): JournalPosition | null;
  /** Called again and again while the tables follow the journal and nobody asked for what they hold: lets other threads go first. */
  rest?: (() => void) | undefined;
};

/** What is kept in tables, and what is done to them. All of it can be asked for from another thread. */
export type Tables = Pick<
  Storage,
  | 'keys'
  | 'organizations'
  | 'settings'
  | 'people'
  | 'audit'
  | 'usage'
  | 'calls'
  | 'settled'
  | 'spend'
  | 'prices'
  | 'leases'
  | 'routes'
  | 'models'
  | 'feedback'
  | 'thresholds'
  | 'webhooks'
> & { upkeep: Upkeep };

export type Upkeep = LedgerTables & {
  /** Brings the tables up to date with all journals in the folder. */
  catchUp(): Promise<void>;
  /** Settles what dead instances left open, as `interrupted`, and removes their journals; tells how many calls. */
  recover(dead: Dead, now: number): Promise<number>;
  purge(before: number): Promise<number>;
  /** Writes to the tables and reads from them. */
  check(): Promise<void>;
  read(): Promise<void>;
};

export type OpenTables = Tables & {
  /** Takes over what is left, and closes. What cannot be taken over now stays in the journal, for the next start. */
  close(): Promise<void>;
};

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
    async recover(dead, now) {
      await catchUp();
      const owner = 'only' in dead ? dead.only : instanceId;
      const recovered = await recoverCalls(db, (settlements) => settle(settlements, owner), dead, now);
      const forget = () => ('only' in dead ? takeOver.forget(dead.only) : takeOver.forgetOthers(dead.allBut));
      await waitingForLock(lockWaitMs, forget).catch(refuse);
      return recovered;
    },
    async purge(before) {
      await catchUp();
      return purgeCalls(db, before);
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

  async function prepareOldCalls(): Promise<void> {
    if (hasUngrouped(database)) await prepare('lists with filters', createOldCallGrouping(database));
    if (!closed && hasUnsummed(database)) await prepare('summaries', createOldCallSums(database));
  }

  /** @param step - a batch; tells how many calls it had, or `null` where all are done */
  async function prepare(what: PreparedFor, step: () => number | null): Promise<void> {
    tell({ event: 'preparing', what });
    let calls = 0;
    for (;;) {
      if (closed) return;
      try {
        const done = await waitingForLock(lockWaitMs, step);
        if (done === null) break;
        calls += done;
      } catch (error) {
        // It goes on at the next start.
        return noteFailure(error);
      }
      await turn();
    }
    tell({ event: 'prepared', what, calls });
  }

  const transact = createTransact({ database, db, folder, lockWaitMs, onFailure });
  const leases = createLeaseStore({ folder, instanceId, lockWaitMs, catchUp, onFailure });
  const tables: OpenTables = {
    keys: { ...createKeyLookup(read, catchUp), ...createKeyWriter(db, transact) },
    settings: createSettingsStore(read, transact, catchUp),
    people: createPeopleStore(read),
    audit: createAuditReader(read, reading, folder),
    organizations: createOrganizationStore(db),
    usage: createUsageReader({ db: read, database: reading, catchUp, reportMs }),
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
  if (options.preparesOldCalls) void prepareOldCalls();
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

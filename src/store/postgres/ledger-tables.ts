import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { EndedCall, Settlement } from '../../core/records.ts';
import { createCallReader } from '../calls.ts';
import { storageUnavailable } from '../errors.ts';
import { listJournals, removeJournal } from '../journal/files.ts';
import { refusalOf } from '../journal/steps.ts';
import type { JournalPosition } from '../journal-port.ts';
import { createPriceReader } from '../prices.ts';
import { recoverCalls } from '../recover.ts';
import { createRefusedStore } from '../refused-calls.ts';
import type { Schema } from '../schema.ts';
import { type BatchNumbers, createSettledReader } from '../settled-calls.ts';
import { createSpendReader } from '../spend.ts';
import type { Tables, TablesNews, TablesOptions, Upkeep } from '../tables.ts';
import { createUsageReader } from '../usage-reader.ts';
import { isValueFault } from './errors.ts';
import { createLeaseStore } from './leases.ts';
import type { PostgresPool } from './pool.ts';
import { createPurge } from './purge.ts';
import { createReading } from './reading.ts';
import { createTakeOver } from './take-over.ts';

export type LedgerParts = {
  pool: PostgresPool;
  /** Over the pool. */
  db: Kysely<Schema>;
  options: Pick<TablesOptions, 'folder' | 'instanceId' | 'reportMs' | 'acknowledged' | 'leaseNow'>;
  tell(news: TablesNews): void;
  /** Told once of each call that is settled in the tables, a moment after its caller was. */
  onEnded?: ((calls: readonly EndedCall[]) => void) | undefined;
};

export type PostgresLedger = Pick<Tables, 'usage' | 'calls' | 'settled' | 'spend' | 'prices' | 'refused' | 'leases'> & {
  upkeep: Upkeep;
  /** Resolves when the tables have all that the journals hold. */
  catchUp(): Promise<void>;
  /** Takes over what is left, and ends what is under way. The pool belongs to who opened it. */
  close(): Promise<void>;
};

/** They are numbered by their transactions: those below the oldest that is under way are all there. */
const NUMBERS: BatchNumbers = {
  isComplete: sql`number < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  areDense: false,
};

/** The ledger's tables over a journal of files: what is taken over, and what is read of it. */
export function createLedgerTables({ pool, db, options, tell, onEnded }: LedgerParts): PostgresLedger {
  const { folder, instanceId, reportMs } = options;
  const takeOver = createTakeOver(pool, folder, {
    onRefused: (error, record) => tell({ event: 'refused', told: refusalOf(record), error }),
    onEnded,
  });
  const line = createLine();
  let told = '';
  let closed = false;

  function failed(error: unknown): void {
    if (!isValueFault(error)) tell({ event: 'failed', error });
  }

  async function guarded<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      failed(error);
      throw storageUnavailable(error);
    }
  }

  /** All that is acknowledged of this instance's own journals. */
  async function takeOverOwn(): Promise<void> {
    const upTo = options.acknowledged();
    if (upTo === null) return;
    for (const journal of listJournals(folder)) {
      if (journal.instanceId !== instanceId || journal.file > upTo.file) continue;
      const isLast = journal.file === upTo.file;
      while (await takeOver.read(journal, isLast ? upTo.end : undefined)) tell({ event: 'written' });
      // Nothing is added to a journal that another follows.
      if (!isLast) removeJournal(folder, journal.file);
    }
    tellHowFar(upTo);
  }

  /** Once all is taken over, or nothing more can be for now. */
  function tellHowFar(place: JournalPosition): void {
    const prices = takeOver.newPrices();
    const now = `${place.file} ${place.end}`;
    if (now === told && prices.length === 0) return;
    told = now;
    tell({ event: 'taken-over', taken: { place, prices } });
  }

  async function takeOverAll(): Promise<void> {
    await takeOverOwn();
    for (const other of listJournals(folder)) {
      if (other.instanceId === instanceId) continue;
      while (await takeOver.read(other));
    }
  }

  const takeOverSoon = coalesced(() => line(takeOverOwn));
  const takeAllSoon = coalesced(() => line(takeOverAll));
  const catchUp = () => takeAllSoon().catch((error: unknown) => Promise.reject(storageUnavailable(error)));

  async function settle(settlements: readonly Settlement[], owner = instanceId): Promise<void> {
    await catchUp();
    await line(() => takeOver.settle(settlements, owner)).catch((error: unknown) =>
      Promise.reject(storageUnavailable(error)),
    );
  }

  const purge = createPurge(pool);
  const upkeep: Upkeep = {
    takeOver: () => takeOverSoon().catch(failed),
    settle: (settlements) => settle(settlements),
    catchUp,
    async instances() {
      await catchUp();
      const known = await guarded(() => takeOver.instances());
      const names = new Set([...listJournals(folder).map((journal) => journal.instanceId), ...known]);
      names.delete(instanceId);
      return [...names];
    },
    async recover(dead, now) {
      await catchUp();
      const recovered = await recoverCalls(db, (settlements) => settle(settlements, dead), dead, now);
      await guarded(() => line(() => takeOver.removeJournals(dead)));
      return recovered;
    },
    forget: (dead) => guarded(() => takeOver.forget(dead)),
    async purge(before) {
      await catchUp();
      return await guarded(() => purge(before));
    },
    async check() {
      await catchUp();
      await guarded(() => pool.query("update headgate.counters set value = value + 1 where name = 'checks'"));
      tell({ event: 'written' });
    },
    async read() {
      await guarded(() => pool.query("select value from headgate.counters where name = 'checks'"));
    },
  };
  const leases = createLeaseStore({ pool, instanceId, now: options.leaseNow, catchUp, onFailure: failed });
  return {
    usage: createUsageReader({ db, reading: createReading(pool), catchUp, reportMs }),
    calls: createCallReader({ db, catchUp, reportMs }),
    settled: createSettledReader(db, NUMBERS),
    spend: createSpendReader(db, catchUp),
    prices: createPriceReader(db, catchUp),
    refused: createRefusedStore(db, db),
    leases,
    upkeep,
    catchUp,
    async close() {
      if (closed) return;
      closed = true;
      await line(takeOverOwn)
        .then(() => removeOwn())
        .catch(() => undefined);
    },
  };

  function removeOwn(): void {
    if (options.acknowledged() === null) return;
    for (const { file, instanceId: owner } of listJournals(folder))
      if (owner === instanceId) removeJournal(folder, file);
  }
}

/** Does one thing after the other. */
function createLine(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Who asks while the work is under way waits for the next: it may have begun before what they ask for was there. */
function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = () => {
    const started = work().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  };
  return () => {
    if (running === null) return run();
    next ??= running.then(noop, noop).then(() => {
      next = null;
      return run();
    });
    return next;
  };
}

function noop(): void {}

import { writeSync } from 'node:fs';
import type { Storage } from '../core/ports.ts';
import type { EndedCall } from '../core/records.ts';
import { DiskState, type ReasonOf, type WriteBytes } from './disk-state.ts';
import { storageUnavailable } from './errors.ts';
import { FileJournal } from './journal/journal.ts';
import { createLedger, type JournaledLedger, type LedgerTables, MAX_QUEUED_WRITES } from './journal/ledger.ts';
import type { Durability, Tables, TablesNews } from './tables.ts';

export type StorageOptions = {
  /** The data folder; it and the database in it are made where they are missing. */
  folder: string;
  /** Names this process in the calls it opens. A name is used once: calls of every other are taken for abandoned. */
  instanceId: string;
  durability: Durability;
  /** Default `MAX_QUEUED_WRITES`. */
  maxQueuedWrites?: number;
  /** How long a write may wait for another process, in milliseconds. Default `LOCK_WAIT_MS`. */
  lockWaitMs?: number;
  /** Writes to the journal; a test makes it fail. */
  writeJournal?: WriteBytes;
  /** Monotonic ms. */
  now?: () => number;
  /** Monotonic ms for leases, the same for all processes. Default: the machine's. */
  leaseNow?: () => number;
  /** Told once of each call that is settled in the tables; of a store whose tables have a thread, that thread tells. */
  onEnded?: ((calls: readonly EndedCall[]) => void) | undefined;
};

/** What writes the journal: the ledger, and what is known of its disk. The tables follow it, in whatever thread they are. */
export type Journaling = {
  ledger: JournaledLedger;
  disk: DiskState;
  /** Rejects where the journal cannot be written. */
  checkJournal(): Promise<void>;
  hear(news: TablesNews): void;
};

/**
 * @param tables - asked for only once records are written
 * @param reasonOf - what an error of the engine says of the disk
 */
export function openJournaling(options: StorageOptions, tables: () => LedgerTables, reasonOf: ReasonOf): Journaling {
  const { folder, instanceId, durability } = options;
  const { maxQueuedWrites = MAX_QUEUED_WRITES, writeJournal = writeSync, now = () => performance.now() } = options;
  const disk = new DiskState(now, reasonOf);
  const journal = new FileJournal({ folder, instanceId, sync: durability === 'full', write: writeJournal });
  const ledger = createLedger({ journal, maxQueuedWrites, now, disk, tables });
  return {
    ledger,
    disk,
    async checkJournal() {
      try {
        await journal.check();
        disk.succeeded('journal');
        ledger.settleLate();
      } catch (error) {
        disk.failed('journal', error);
        throw storageUnavailable(error);
      }
    },
    hear(news) {
      switch (news.event) {
        case 'taken-over':
          return ledger.takenOver(news.taken);
        case 'written':
          return disk.succeeded('tables');
        case 'failed':
          return disk.failed('tables', news.error);
        case 'refused':
          return process.emitWarning(new Error(news.told, { cause: news.error }));
        default:
          return news satisfies never;
      }
    },
  };
}

export type StorageParts = Journaling & {
  tables: Tables;
  /** Closes the tables. */
  close(): Promise<void>;
};

/** The whole store over its journal and its tables, in whatever thread they are. */
export function storageOver(parts: StorageParts): Storage {
  const { tables, ledger, disk, checkJournal } = parts;
  const { upkeep, ...rooms } = tables;
  const check = async () => {
    await checkJournal();
    await upkeep.check();
    disk.succeeded('tables');
  };
  return {
    ...rooms,
    ledger,
    instances: () => upkeep.instances(),
    recover: (instanceId, now) => upkeep.recover(instanceId, now),
    forget: (instanceId) => upkeep.forget(instanceId),
    purge: (before) => upkeep.purge(before),
    check,
    trouble: () => disk.trouble,
    onTrouble: (listener) => disk.onTrouble(listener),
    async look() {
      try {
        if (disk.trouble !== null) await check();
        else {
          if (disk.isCheckDue) await checkJournal();
          await upkeep.read();
        }
        return null;
      } catch (error) {
        return disk.trouble ?? { reason: 'failing', cause: error };
      }
    },
    async close() {
      ledger.close();
      await parts.close();
    },
  };
}

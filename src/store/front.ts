import { writeSync } from 'node:fs';
import type { Storage } from '../core/ports.ts';
import type { EndedCall } from '../core/records.ts';
import { createLedger, type JournaledLedger, type LedgerTables, MAX_QUEUED_WRITES } from './journal/ledger.ts';
import { storageUnavailable } from './sqlite/errors.ts';
import type { Durability } from './sqlite/open.ts';
import type { Tables, TablesNews } from './tables.ts';
import { checkWriting, type WriteBytes, Writes } from './writes.ts';

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
  /** Whether calls that an earlier version wrote are made ready for what it did not know, in the background. Default: no. */
  preparesOldCalls?: boolean;
  /** Writes to the journal; a test makes it fail. */
  writeJournal?: WriteBytes;
  /** Monotonic ms. */
  now?: () => number;
  /** Told once of each call that is settled in the tables; of a store whose tables have a thread, that thread tells. */
  onEnded?: ((calls: readonly EndedCall[]) => void) | undefined;
  /** Told what the tables are doing in the background, in words for the log. */
  onNotice?: (words: string) => void;
};

/** What stands before the tables, in whatever thread they are. */
export type StoreFront = {
  ledger: JournaledLedger;
  writes: Writes;
  /** Throws where the disk cannot be written. */
  checkDisk(): void;
  hear(news: TablesNews): void;
};

/** @param tables - asked for only once records are written */
export function createFront(options: StorageOptions, tables: () => LedgerTables): StoreFront {
  const { folder, instanceId, durability, onNotice = () => undefined } = options;
  const { maxQueuedWrites = MAX_QUEUED_WRITES, writeJournal = writeSync, now = () => performance.now() } = options;
  const writes = new Writes(now);
  const ledger = createLedger({
    folder,
    instanceId,
    sync: durability === 'full',
    maxQueuedWrites,
    now,
    writes,
    write: writeJournal,
    tables,
  });
  return {
    ledger,
    writes,
    checkDisk() {
      try {
        checkWriting(folder, writeJournal);
        writes.succeeded('journal');
        ledger.settleLate();
      } catch (error) {
        writes.failed('journal', error);
        throw storageUnavailable(error);
      }
    },
    hear(news) {
      switch (news.event) {
        case 'taken-over':
          return ledger.takenOver(news.taken);
        case 'written':
          return writes.succeeded('tables');
        case 'failed':
          return writes.failed('tables', news.error);
        case 'refused':
          return process.emitWarning(new Error(news.told, { cause: news.error }));
        case 'preparing':
          return onNotice(`Usage records of an earlier version are made ready for ${news.what}, in the background.`);
        case 'prepared':
          return onNotice(`${news.calls} usage records of an earlier version are ready for ${news.what}.`);
        default:
          return news satisfies never;
      }
    },
  };
}

export type StorageParts = StoreFront & {
  instanceId: string;
  tables: Tables;
  /** Closes the tables. */
  close(): Promise<void>;
};

/** The whole store over its journal and its tables, in whatever thread they are. */
export function storageOver(parts: StorageParts): Storage {
  const { instanceId, tables, ledger, writes, checkDisk } = parts;
  const { upkeep, ...rooms } = tables;
  const check = async () => {
    checkDisk();
    await upkeep.check();
    writes.succeeded('tables');
  };
  return {
    ...rooms,
    ledger,
    recover: (now) => upkeep.recover({ allBut: instanceId }, now),
    recoverFrom: (dead, now) => upkeep.recover({ only: dead }, now),
    purge: (before) => upkeep.purge(before),
    check,
    trouble: () => writes.trouble,
    onTrouble: (listener) => writes.onTrouble(listener),
    async look() {
      try {
        if (writes.trouble !== null) await check();
        else {
          if (writes.isCheckDue) checkDisk();
          await upkeep.read();
        }
        return null;
      } catch (error) {
        return writes.trouble ?? { reason: 'failing', cause: error };
      }
    },
    async close() {
      ledger.close();
      await parts.close();
    },
  };
}

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/ports.ts';
import type { Settlement } from '../../core/records.ts';
import { listJournals, removeJournal } from '../journal/files.ts';
import type { Group } from '../journal/groups.ts';
import { Journal, type JournalOptions } from '../journal/journal.ts';
import { type JournalRecord, writeIntent, writeSettlement } from '../journal/record-json.ts';
import type { Writes } from '../writes.ts';
import { isBusy, storageUnavailable } from './errors.ts';
import { patiently } from './patience.ts';
import { createTakeOver, MAX_BATCH, refusalOf } from './take-over.ts';

/**
 * How many records may wait to be taken over; past it intents are refused as `overloaded`. Settlements never are: the
 * call was made and must be billed, and there are no more of them than intents that were let in.
 */
export const MAX_QUEUED_WRITES = 100_000;

/** How long a record stays in the journal only, unless somebody asks for it. Long enough for most whole answers. */
const TAKE_OVER_MS = 100;

/** Behind a write, settlements are taken for alone that come no sooner than this, in ms. */
const QUIET_MS = 0.2;

/** SQLite's integers are of 64 bits. */
const MAX_COST = 2n ** 63n - 1n;

export type LedgerOptions = JournalOptions & {
  maxQueuedWrites: number;
  patienceMs: number;
  /** Monotonic ms. */
  now: () => number;
  /** Told how each write went. */
  writes: Writes;
};

export type JournaledLedger = Ledger & {
  /** Resolves when all that was acknowledged before, by any process, stands in the tables. */
  catchUp(): Promise<void>;
  /** Settles calls of whatever instance, past the journal. */
  settleNow(settlements: readonly Settlement[]): Promise<void>;
  /** Removes the journals of other instances, which must be dead. */
  forgetOthers(): Promise<void>;
  /** Removes the journals of one other instance, which must be dead. */
  forget(instanceId: string): Promise<void>;
  /** Refuses further writes; resolves when those that were handed in are done. */
  close(): Promise<void>;
};

/** Records that are written at once, and the promise of all who wait for them. */
type Writing = { records: JournalRecord[]; texts: string[]; written: PromiseWithResolvers<void> };

/**
 * The ledger over SQLite. Whatever is handed in within one turn of the event loop is appended to this instance's
 * journal at its end, in one write, of which one promise tells all; a settlement that seems to be alone, at once. The tables follow in the background.
 */
export function createLedger(database: DatabaseSync, options: LedgerOptions): JournaledLedger {
  const { folder, instanceId, maxQueuedWrites, patienceMs, now, writes } = options;
  const journal = new Journal(options);
  const takeOver = createTakeOver(database, folder, (error, record) => {
    process.emitWarning(new Error(refusalOf(record), { cause: error }));
  });
  /** The calls of this instance that are open, by id. */
  const open = new Set<string>();
  /** What was handed in during this turn; each at most a batch. */
  let queue: Writing[] = [];
  let queuedRecords = 0;
  /** Whether the last write was of one record, and when it was. */
  let alone = true;
  let wroteAt = Number.NEGATIVE_INFINITY;
  /** What the journal has and the tables, as far as this process knows, have not. */
  let backlog: (Group & { file: string })[] = [];
  let backlogRecords = 0;
  let timer: NodeJS.Timeout | null = null;
  /** The last attempt in the background failed: the next waits its time, however much there is. */
  let failing = false;
  /** Since when another process has kept the tables from being written; monotonic ms. */
  let busySince: number | null = null;
  let closed = false;

  /** /!\ Hot path: a promise a group, not a promise a record. */
  function enqueue(record: JournalRecord, text: string): Promise<void> {
    let writing = queue.at(-1);
    if (writing === undefined || writing.records.length === MAX_BATCH) {
      if (writing === undefined) schedule(record);
      writing = { records: [], texts: [], written: Promise.withResolvers() };
      queue.push(writing);
    }
    writing.records.push(record);
    writing.texts.push(text);
    queuedRecords += 1;
    return writing.written.promise;
  }

  /**
   * Where nobody else seems to write, a settlement need not wait for the end of the turn: its answer would wait with it.
   * An intent always does, for others follow it in the same turn.
   */
  function schedule(record: JournalRecord): void {
    if ('settlement' in record && alone && now() - wroteAt > QUIET_MS) process.nextTick(flushSettlements);
    else setImmediate(flush);
  }

  function flushSettlements(): void {
    if (queue.some(({ records }) => records.some((record) => 'intent' in record))) setImmediate(flush);
    else flush();
  }

  function flush(): void {
    const writings = queue;
    alone = queuedRecords <= 1;
    queue = [];
    queuedRecords = 0;
    wroteAt = now();
    for (const writing of writings) append(writing);
    if (backlogRecords >= MAX_BATCH && !failing) takeOverInBackground();
    else if (backlogRecords > 0) timer ??= setTimeout(takeOverInBackground, TAKE_OVER_MS).unref();
  }

  function append({ records, texts, written }: Writing): void {
    try {
      const { file, end } = journal.append(texts);
      backlog.push({ file, end, records });
      backlogRecords += records.length;
      writes.succeeded('journal');
      written.resolve();
    } catch (error) {
      writes.failed('journal', error);
      for (const record of records) {
        if ('intent' in record) open.delete(record.intent.id);
        else open.add(record.settlement.id);
      }
      written.reject(storageUnavailable(error));
    }
  }

  /** A failure here is heard by whoever reads, who catches up first, and is noted for the check of readiness. */
  function takeOverInBackground(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    try {
      takeOverOwn();
      failing = false;
    } catch (error) {
      failing = true;
      noteFailure(error);
    }
    if (backlogRecords > 0) timer = setTimeout(takeOverInBackground, failing ? TAKE_OVER_MS : 0).unref();
  }

  /** Another process that writes is waited for, as long as anyone waits for it. */
  function noteFailure(error: unknown): void {
    if (isBusy(error)) {
      busySince ??= now();
      if (now() - busySince < patienceMs) return;
    }
    writes.failed('tables', error);
  }

  /** One batch: groups of one journal. */
  function takeOverOwn(): void {
    const file = backlog[0]?.file;
    if (file === undefined) return;
    let groups = 0;
    let records = 0;
    while (records < MAX_BATCH && backlog[groups]?.file === file) {
      records += backlog[groups]!.records.length;
      groups += 1;
    }
    takeOver.own({ file, instanceId }, backlog.slice(0, groups));
    busySince = null;
    writes.succeeded('tables');
    backlog = backlog.slice(groups);
    backlogRecords -= records;
    if (backlogRecords === 0) for (const released of journal.release()) removeJournal(folder, released);
  }

  async function catchUpOwn(): Promise<void> {
    if (queue.length > 0) flush();
    while (backlogRecords > 0) {
      await patiently(patienceMs, takeOverOwn);
      if (backlogRecords > 0) await turn();
    }
  }

  async function catchUp(): Promise<void> {
    await catchUpOwn();
    for (const other of listJournals(folder)) {
      if (other.instanceId === instanceId) continue;
      while (await patiently(patienceMs, () => takeOver.read(other))) await turn();
    }
  }

  async function settleNow(settlements: readonly Settlement[]): Promise<void> {
    await catchUp()
      .then(() => patiently(patienceMs, () => takeOver.settle(settlements)))
      .catch(refuse);
  }

  return {
    intend(intent) {
      if (closed) return Promise.reject(closedError());
      if (open.has(intent.id)) {
        return Promise.reject(storageUnavailable(new Error(`The call ${intent.id} is open already.`)));
      }
      if (queuedRecords + backlogRecords >= maxQueuedWrites) {
        return Promise.reject(new GatewayError('overloaded', 'The gateway has as many unwritten records as it may.'));
      }
      open.add(intent.id);
      return enqueue({ intent, priceVersion: null }, writeIntent(intent, takeOver.storedPriceOf(intent)));
    },

    settle(settlement) {
      if (closed) return Promise.reject(closedError());
      const { id, counted, routed } = settlement;
      if (counted > MAX_COST || (routed?.vendorCost ?? 0n) > MAX_COST) {
        return Promise.reject(storageUnavailable(new Error(`The cost of the call ${id} is too high.`)));
      }
      if (!open.delete(id)) return settleNow([settlement]);
      const priceVersion = routed === null ? null : takeOver.storedPriceOf(routed);
      return enqueue({ settlement, priceVersion: null }, writeSettlement(settlement, priceVersion));
    },

    catchUp: () => catchUp().catch(refuse),

    settleNow,

    forgetOthers: () => patiently(patienceMs, () => takeOver.forgetOthers(instanceId)).catch(refuse),

    forget: (dead) => patiently(patienceMs, () => takeOver.forget(dead)).catch(refuse),

    async close() {
      if (closed) return;
      closed = true;
      // What cannot be taken over now stays in the journal, for the next start.
      const done = await catchUpOwn().then(
        () => true,
        () => false,
      );
      if (timer !== null) clearTimeout(timer);
      const released = journal.release(true);
      if (done) for (const file of released) removeJournal(folder, file);
    },
  };
}

function refuse(error: unknown): never {
  throw storageUnavailable(error);
}

function closedError(): GatewayError {
  return storageUnavailable(new Error('The store is closed.'));
}

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/ports.ts';
import type { Settlement } from '../../core/records.ts';
import { listJournals, removeJournal } from '../journal/files.ts';
import type { Group } from '../journal/groups.ts';
import { Journal, type JournalOptions } from '../journal/journal.ts';
import { type JournalRecord, writeIntent, writeSettlement } from '../journal/record-json.ts';
import { storageUnavailable } from './errors.ts';
import { patiently } from './patience.ts';
import { createTakeOver, MAX_BATCH, refusalOf } from './take-over.ts';

/**
 * How many records may wait to be taken over; past it intents are refused as `overloaded`. Settlements never are: the
 * call was made and must be billed, and there are no more of them than intents that were let in.
 */
export const MAX_QUEUED_WRITES = 100_000;

/** How long a record stays in the journal only, unless somebody asks for it. Long enough for most whole answers. */
const TAKE_OVER_MS = 100;

/** SQLite's integers are of 64 bits. */
const MAX_COST = 2n ** 63n - 1n;

export type LedgerOptions = JournalOptions & { maxQueuedWrites: number; patienceMs: number };

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

type Write = {
  record: JournalRecord;
  text: string;
  resolve: () => void;
  reject: (error: GatewayError) => void;
};

/**
 * The ledger over SQLite. Whatever is handed in within one turn of the event loop is appended to this instance's
 * journal at its end, in one write, and each promise tells of its own record. The tables follow in the background.
 */
export function createLedger(database: DatabaseSync, options: LedgerOptions): JournaledLedger {
  const { folder, instanceId, maxQueuedWrites, patienceMs } = options;
  const journal = new Journal(options);
  const takeOver = createTakeOver(database, folder, (error, record) => {
    process.emitWarning(new Error(refusalOf(record), { cause: error }));
  });
  /** The calls of this instance that are open, by id. */
  const open = new Set<string>();
  const queue: Write[] = [];
  /** What the journal has and the tables, as far as this process knows, have not. */
  let backlog: (Group & { file: string })[] = [];
  let backlogRecords = 0;
  let scheduled = false;
  let timer: NodeJS.Timeout | null = null;
  /** The last attempt in the background failed: the next waits its time, however much there is. */
  let failing = false;
  let closed = false;

  function enqueue(record: JournalRecord, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.push({ record, text, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    });
  }

  function flush(): void {
    scheduled = false;
    while (queue.length > 0) append(queue.splice(0, MAX_BATCH));
    if (backlogRecords >= MAX_BATCH && !failing) takeOverInBackground();
    else if (backlogRecords > 0) timer ??= setTimeout(takeOverInBackground, TAKE_OVER_MS).unref();
  }

  function append(writes: Write[]): void {
    try {
      const { file, end } = journal.append(writes.map(({ text }) => text));
      backlog.push({ file, end, records: writes.map(({ record }) => record) });
      backlogRecords += writes.length;
      for (const write of writes) write.resolve();
    } catch (error) {
      for (const { record, reject } of writes) {
        if ('intent' in record) open.delete(record.intent.id);
        else open.add(record.settlement.id);
        reject(storageUnavailable(error));
      }
    }
  }

  /** A failure here is heard by whoever reads, and by the check of readiness: both catch up first. */
  function takeOverInBackground(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    try {
      takeOverOwn();
      failing = false;
    } catch {
      failing = true;
    }
    if (backlogRecords > 0) timer = setTimeout(takeOverInBackground, failing ? TAKE_OVER_MS : 0).unref();
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
    async intend(intent) {
      if (closed) throw closedError();
      if (open.has(intent.id)) throw storageUnavailable(new Error(`The call ${intent.id} is open already.`));
      if (queue.length + backlogRecords >= maxQueuedWrites) {
        throw new GatewayError('overloaded', 'The gateway has as many unwritten records as it may.');
      }
      open.add(intent.id);
      return enqueue({ intent }, writeIntent(intent));
    },

    async settle(settlement) {
      if (closed) throw closedError();
      const { id, cost } = settlement;
      if (cost !== null && cost > MAX_COST)
        throw storageUnavailable(new Error(`The cost of the call ${id} is too high.`));
      if (open.delete(id)) return enqueue({ settlement }, writeSettlement(settlement));
      return settleNow([settlement]);
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

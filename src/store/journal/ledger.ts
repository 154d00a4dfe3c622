import { GatewayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/ports.ts';
import type { Routed, Settlement } from '../../core/records.ts';
import type { DiskState } from '../disk-state.ts';
import { storageUnavailable } from '../errors.ts';
import type { Journal, JournalPosition } from '../journal-port.ts';
import { priceVersionId } from '../price-version-ids.ts';
import { isSettlement, writeIntent, writeSettlement } from './record-json.ts';

/**
 * How many records may wait to be taken over; past it intents are refused as `overloaded`. Settlements never are: the
 * call was made and must be billed, and there are no more of them than intents that were let in.
 */
export const MAX_QUEUED_WRITES = 100_000;

/** How long a record stays in the journal only, unless somebody asks for it. A call that ends sooner is written once. */
const TAKE_OVER_MS = 250;

/** The most records of one line of the journal. */
const MAX_GROUP = 500;

/** A settlement that comes this long after the last write, in ms, is assumed to be the only one and written at once. */
const QUIET_MS = 0.2;

/** SQLite's integers are of 64 bits. */
const MAX_COST = 2n ** 63n - 1n;

/** How far this instance's journals stand in the tables, and price versions that are new there. */
export type TakenOver = { place: JournalPosition; prices: readonly string[] };

/** The tables, as far as the ledger needs them. Each may reject with a `GatewayError` of kind `storage_unavailable`. */
export type LedgerTables = {
  /** Takes over what this instance's journals hold, as far as it was acknowledged. What cannot be taken over now is left for later. */
  takeOver(): Promise<void>;
  /** Writes settlements to the tables directly, for calls of any instance. */
  settle(settlements: readonly Settlement[]): Promise<void>;
};

export type LedgerOptions = {
  journal: Journal;
  maxQueuedWrites: number;
  /** Monotonic ms. */
  now: () => number;
  /** Told how each write went. */
  disk: DiskState;
  tables(): LedgerTables;
};

export type JournaledLedger = Ledger & {
  /**
   * Hands what waits for the end of the turn to the journal. Whoever reads a journal that is done at once finds it from now on.
   */
  flush(): void;
  /** Up to where the journal was acknowledged; `null` where nothing was written yet. */
  readonly place: JournalPosition | null;
  /** To be called with each news of what the tables have taken over, whoever asked for it. */
  takenOver(news: TakenOver): void;
  /** Writes settlements that a disk refused, as after each append that succeeded; where it still refuses, they wait on. */
  settleLate(): void;
  /** Whether settlements wait that a disk refused: nobody can tell then from the tables what was spent. */
  readonly hasLate: boolean;
  /** Refuses further writes, and writes to no file any more. What was not taken over is for whoever takes over next. */
  close(): void;
};

/** Records that are written at once, and the promise of all who wait for them. */
type Writing = {
  texts: string[];
  intents: string[];
  settlements: string[];
  written: PromiseWithResolvers<void>;
};

/** Records that were appended, and where the last of them ends. */
type Mark = JournalPosition & { records: number };

/**
 * The ledger. Whatever is handed in within one turn of the event loop is appended to this instance's journal at its end,
 * in one write, of which one promise tells all; a settlement that seems to be alone, at once. The tables are asked to
 * follow a moment later, and take records over from the file.
 */
export function createLedger(options: LedgerOptions): JournaledLedger {
  const { journal, maxQueuedWrites, now, disk, tables } = options;
  /** The calls of this instance that are open, by id. */
  const open = new OpenIds();
  /** Price versions that are in the tables for sure. */
  const storedPrices = new Set<string>();
  /** What was handed in during this turn; each at most a group. */
  let queue: Writing[] = [];
  let queuedRecords = 0;
  /** Settlements that the disk refused, by id: the calls were made and must be billed. No more than calls that are open. */
  const late = new Map<string, string>();
  /** Whether the last write was of one record, and when it was. */
  let alone = true;
  let wroteAt = Number.NEGATIVE_INFINITY;
  /** What the journal has and the tables, as far as is known here, have not; oldest first. */
  let backlog: Mark[] = [];
  let backlogRecords = 0;
  /** Late settlements that are being written now. */
  let writingLate: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isTakingOver = false;
  let closed = false;

  /** /!\ Hot path: a promise a group, not a promise a record. */
  function enqueue(kind: 'intents' | 'settlements', id: string, text: string): Promise<void> {
    let writing = queue.at(-1);
    if (writing === undefined || writing.texts.length === MAX_GROUP) {
      if (writing === undefined) schedule(kind);
      writing = { texts: [], intents: [], settlements: [], written: Promise.withResolvers() };
      queue.push(writing);
    }
    writing.texts.push(text);
    writing[kind].push(id);
    queuedRecords += 1;
    return writing.written.promise;
  }

  /**
   * Where nobody else seems to write, a settlement need not wait for the end of the turn: its answer would wait with it.
   * An intent always does, for others follow it in the same turn.
   */
  function schedule(kind: 'intents' | 'settlements'): void {
    if (kind === 'settlements' && alone && now() - wroteAt > QUIET_MS) process.nextTick(flushSettlements);
    else setImmediate(flush);
  }

  function flushSettlements(): void {
    if (queue.some(({ intents }) => intents.length > 0)) setImmediate(flush);
    else flush();
  }

  function flush(): void {
    if (queue.length === 0) return;
    const writings = queue;
    alone = queuedRecords <= 1;
    queue = [];
    queuedRecords = 0;
    wroteAt = now();
    for (const writing of writings) append(writing);
    if (!isTakingOver) takeOverSoon();
  }

  /** /!\ Hot path: a journal that is done at once costs no promise. */
  function append(writing: Writing): void {
    try {
      // Money that a refused settlement has given back lets no call in before the journal has the settlement.
      const first = writeLate();
      const done = first === undefined ? write(writing.texts) : first.then(() => write(writing.texts));
      if (done === undefined) writing.written.resolve();
      else done.then(writing.written.resolve, (error: unknown) => refuse(writing, error));
    } catch (error) {
      refuse(writing, error);
    }
  }

  /** Nothing of it was written: its settlements are written later, since those calls were made. */
  function refuse({ texts, intents, settlements, written }: Writing, error: unknown): void {
    for (const id of intents) open.delete(id);
    const settled = texts.filter(isSettlement);
    for (const [at, id] of settlements.entries()) {
      open.add(id);
      late.set(id, settled[at]!);
    }
    written.reject(storageUnavailable(error));
  }

  function settleLate(): void {
    try {
      // A refusal is reported by `write`; they wait for the next append.
      writeLate()?.catch(() => undefined);
    } catch {
      return;
    }
    if (!isTakingOver) takeOverSoon();
  }

  /** Writes the settlements that the journal refused before. Throws, or rejects, if it refuses again. */
  function writeLate(): Promise<void> | undefined {
    if (writingLate !== null) return writingLate;
    while (late.size > 0 && !closed) {
      const some = [...late].slice(0, MAX_GROUP);
      const done = write(some.map(([, text]) => text));
      if (done !== undefined) {
        writingLate = done.then(
          () => {
            writingLate = null;
            forgetLate(some);
            return writeLate();
          },
          (error: unknown) => {
            writingLate = null;
            throw error;
          },
        );
        return writingLate;
      }
      forgetLate(some);
    }
    return undefined;
  }

  function forgetLate(some: readonly (readonly [id: string, text: string])[]): void {
    for (const [id] of some) {
      late.delete(id);
      open.delete(id);
    }
  }

  /** Throws, or rejects, if the journal refuses. */
  function write(texts: readonly string[]): Promise<void> | undefined {
    let appended: ReturnType<Journal['append']>;
    try {
      appended = journal.append(texts);
    } catch (error) {
      disk.failed('journal', error);
      throw error;
    }
    if (!(appended instanceof Promise)) return acknowledge(appended, texts.length);
    return appended.then(
      (place) => {
        acknowledge(place, texts.length);
        if (!isTakingOver) takeOverSoon();
      },
      (error: unknown) => {
        disk.failed('journal', error);
        throw error;
      },
    );
  }

  function acknowledge(place: JournalPosition, records: number): undefined {
    remember(place, records);
    disk.succeeded('journal');
  }

  /** One mark holds all that was appended since the tables were asked last, unless it began another file. */
  function remember({ file, end }: JournalPosition, records: number): void {
    backlogRecords += records;
    const last = backlog.at(-1);
    if (last === undefined || last.file !== file || isTakingOver) backlog.push({ file, end, records });
    else {
      last.end = Math.max(last.end, end);
      last.records += records;
    }
  }

  function takeOverSoon(): void {
    if (backlogRecords > 0 && !closed) timer ??= setTimeout(takeOver, TAKE_OVER_MS).unref();
  }

  /** A failure is told by the tables themselves; the records wait, and are asked for again. */
  async function takeOver(): Promise<void> {
    timer = null;
    isTakingOver = true;
    try {
      await tables().takeOver();
    } catch {
    } finally {
      isTakingOver = false;
    }
    takeOverSoon();
  }

  function takenOver({ place: reached, prices }: TakenOver): void {
    for (const id of prices) storedPrices.add(id);
    backlog = backlog.filter((mark) => !isReached(mark, reached));
    backlogRecords = backlog.reduce((sum, { records }) => sum + records, 0);
  }

  /** The version's id, if the tables have the version for sure. */
  function storedPriceOf({ price, provider, upstreamModel }: Pick<Routed, 'price' | 'provider' | 'upstreamModel'>) {
    if (price === null) return null;
    const id = priceVersionId(price, provider, upstreamModel);
    return storedPrices.has(id) ? id : null;
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
      return enqueue('intents', intent.id, writeIntent(intent, storedPriceOf(intent)));
    },

    settle(settlement) {
      if (closed) return Promise.reject(closedError());
      const { id, counted, routed } = settlement;
      if (counted > MAX_COST || (routed?.vendorCost ?? 0n) > MAX_COST) {
        return Promise.reject(storageUnavailable(new Error(`The cost of the call ${id} is too high.`)));
      }
      if (!open.delete(id)) return tables().settle([settlement]);
      // A map that is asked for a text keeps it as one of V8's own, which costs more than all else here.
      if (late.size > 0) late.delete(id);
      const priceVersion = routed === null ? null : storedPriceOf(routed);
      return enqueue('settlements', id, writeSettlement(settlement, priceVersion));
    },

    flush,

    settleLate,

    get hasLate() {
      return late.size > 0;
    },

    takenOver,

    get place() {
      return journal.place;
    },

    close() {
      if (closed) return;
      flush();
      settleLate();
      closed = true;
      if (timer !== null) clearTimeout(timer);
      journal.close();
    },
  };
}

const OPEN_GROUPS = 256;

/**
 * The ids of open calls. A record's id counts up at its end, so its last two characters share ids out evenly.
 *
 * /!\ Hot path: no `Set`, for the memory of what has left it (docs/decisions/2026-11-23-calls-pass-through-no-set.md).
 */
class OpenIds {
  readonly #groups: readonly string[][] = Array.from({ length: OPEN_GROUPS }, () => []);

  has(id: string): boolean {
    return this.#groupOf(id).includes(id);
  }

  /** The id is none of them yet. */
  add(id: string): void {
    this.#groupOf(id).push(id);
  }

  /** @returns whether it was one of them */
  delete(id: string): boolean {
    const group = this.#groupOf(id);
    const at = group.indexOf(id);
    if (at < 0) return false;
    const last = group.pop()!;
    if (at < group.length) group[at] = last;
    return true;
  }

  #groupOf(id: string): string[] {
    return this.#groups[(id.charCodeAt(id.length - 2) * 32 + id.charCodeAt(id.length - 1)) % OPEN_GROUPS || 0]!;
  }
}

/** An instance's journals are written one after the other, and their names sort so. */
function isReached({ file, end }: JournalPosition, reached: JournalPosition): boolean {
  return file < reached.file || (file === reached.file && end <= reached.end);
}

function closedError(): GatewayError {
  return storageUnavailable(new Error('The store is closed.'));
}

import type { EndedCall, Settlement } from '../../core/records.ts';
import { nextGroups } from '../journal/batches.ts';
import { instanceOf, type JournalName, journalLength, listJournals, removeJournal } from '../journal/files.ts';
import type { Group } from '../journal/groups.ts';
import { asJournaled, type JournalRecord } from '../journal/record-json.ts';
import { stepsOf, type TakeOverStep } from '../journal/steps.ts';
import type { TakeOverNews } from '../take-over-news.ts';
import { BatchWriter, type WrittenCalls } from './call-writer.ts';
import { isValueFault, mayDoAgain, sqlState } from './errors.ts';
import { GROUPS_LOCK } from './locks.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { table } from './reading.ts';

/** How often a transaction is tried that others are in the way of. */
const MOST_TRIES = 20;
/** An entry of an index is too long: no other attempt can do better. */
const PROGRAM_LIMIT = '54';

/**
 * Brings what journals hold into the tables, and notes in the same transaction how far, as `sqlite/take-over.ts`: however often it
 * is done, each group is taken over once. One thing at a time may be asked of it.
 */
export type JournalTakeOver = {
  /** Reads a batch from a journal, up to the offset `end`, and takes it over; tells whether there may be more. */
  read(journal: JournalName, end?: number): Promise<boolean>;
  /** The ids of price versions that were stored since this was asked last. */
  newPrices(): string[];
  /** Settles calls of one instance at once, past the journals. */
  settle(settlements: readonly Settlement[], instanceId: string): Promise<void>;
  /** The instances that the tables know of: by a journal, an open call or a sum of their own. */
  instances(): Promise<string[]>;
  /** Removes the journals of another, which must be dead and its journals taken over. */
  removeJournals(instanceId: string): Promise<void>;
  /** Removes the sums of what another spent, which must be dead and have no leases. */
  forget(instanceId: string): Promise<void>;
};

type Refusal = { error: Error; record: JournalRecord };
/** What a transaction has done, and what is told of it once it is committed. */
type Taken = { file: string; end: number; ended: EndedCall[]; refused: Refusal[] };

export function createTakeOver(
  pool: PostgresPool,
  folder: string,
  { onRefused, onEnded }: TakeOverNews,
): JournalTakeOver {
  const calls = new BatchWriter();
  /** How far journals were taken over, as far as this process knows. */
  const positions = new Map<string, number>();
  /** The last transaction, if the answer to its commit was lost. */
  let unsure: Taken | null = null;

  async function inTransaction<Value>(work: (query: RunQuery) => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      try {
        const value = await pool.transaction('read committed', async (query) => {
          // Groups are removed by nobody until this is over, and what is read behind the lock is of behind it.
          await query('select pg_advisory_xact_lock_shared($1)', [GROUPS_LOCK]);
          return await work(query);
        });
        calls.committed();
        return value;
      } catch (error) {
        calls.rolledBack();
        if (!mayDoAgain(error) || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** Where the journal was taken over to, with its row locked; the groups' generation is known from now on. */
  async function lockPosition(query: RunQuery, file: string): Promise<number> {
    for (;;) {
      const { rows } = await query<{ position: bigint; removed: bigint }>(
        `select taken_over_to as position, ${REMOVED} as removed from ${table('journals')} where file = $1 for update`,
        [file],
      );
      if (rows[0] !== undefined) {
        calls.begin(rows[0].removed);
        return Number(rows[0].position);
      }
      await query(`insert into ${table('journals')} values ($1, 0) on conflict do nothing`, [file]);
    }
  }

  async function take(journal: JournalName, from: number, groups: readonly Group[]): Promise<void> {
    try {
      await takeAll(journal, from, { groups, write: together });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // One record at fault refuses all: it is looked for by halves, told, and left out.
      await takeAll(journal, from, { groups, write: byHalves });
    }
  }

  async function takeAll(journal: JournalName, from: number, { groups, write }: Batch): Promise<void> {
    const { file, instanceId } = journal;
    const end = groups.at(-1)!.end;
    let taken: Taken | null = null;
    let there = 0;
    try {
      const position = await inTransaction(async (query) => {
        taken = null;
        there = await lockPosition(query, file);
        // A journal goes only when it was taken over, and before its position does: under the lock, one tells of the other.
        if (there < from || there >= end || journalLength(folder, file) === 0) return there;
        const records = groups.flatMap((group) => (group.end > there ? group.records : []));
        taken = { file, end, ...(await write(query, stepsOf(records), instanceId)) };
        await query(`update ${table('journals')} set taken_over_to = $2 where file = $1`, [file, end]);
        return end;
      });
      positions.set(file, position);
    } catch (error) {
      unsure = taken;
      throw error;
    }
    if (unsure !== null && unsure.file === file && unsure.end <= there) await tell(unsure);
    unsure = null;
    if (taken !== null) await tell(taken);
  }

  async function tell({ ended, refused }: Pick<Taken, 'ended' | 'refused'>): Promise<void> {
    for (const { error, record } of refused) onRefused(error, record);
    if (onEnded === undefined || ended.length === 0) return;
    const ids = [...new Set(ended.map(({ settlement }) => settlement.keyId))];
    // Names are for logs: what was taken over is taken over without them, too.
    const found = await pool
      .query<{ id: string; name: string }>(`select id, name from ${table('api_keys')} where id = any($1::text[])`, [
        ids,
      ])
      .catch(() => ({ rows: [] }));
    const names = new Map(found.rows.map(({ id, name }) => [id, name]));
    for (const call of ended) call.keyName = names.get(call.settlement.keyId) ?? null;
    onEnded(ended);
  }

  async function together(query: RunQuery, steps: readonly TakeOverStep[], instanceId: string): Promise<Outcome> {
    const { ended, unknown } = await calls.write(query, steps, instanceId);
    return { ended, refused: unknown.map((record) => ({ record, error: neverOpened(record.settlement) })) };
  }

  async function byHalves(query: RunQuery, steps: readonly TakeOverStep[], instanceId: string): Promise<Outcome> {
    const outcome: Outcome = { ended: [], refused: [] };
    async function attempt(some: readonly TakeOverStep[]): Promise<void> {
      if (some.length === 0) return;
      await query('savepoint part');
      try {
        const { ended, refused } = await together(query, some, instanceId);
        await query('release savepoint part');
        outcome.ended.push(...ended);
        outcome.refused.push(...refused);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await query('rollback to savepoint part');
        calls.rolledBack();
        const half = Math.ceil(some.length / 2);
        if (some.length > 1) {
          await attempt(some.slice(0, half));
          return await attempt(some.slice(half));
        }
        const [{ intent, settlement }] = some as [TakeOverStep];
        outcome.refused.push({ error: error as Error, record: (settlement ?? intent)! });
        // A call whose end is refused stays open.
        if (intent !== null && settlement !== null) await attempt([{ intent, settlement: null }]);
      }
    }
    await attempt(steps);
    return outcome;
  }

  async function positionOf(file: string): Promise<number> {
    const known = positions.get(file);
    if (known !== undefined) return known;
    const { rows } = await pool.query<{ position: bigint }>(
      `select taken_over_to as position from ${table('journals')} where file = $1`,
      [file],
    );
    return Number(rows[0]?.position ?? 0);
  }

  return {
    async read(journal, end) {
      const { file } = journal;
      const from = await positionOf(file);
      const length = Math.min(journalLength(folder, file), end ?? Number.MAX_SAFE_INTEGER);
      if (length <= from) return false;
      const groups = nextGroups(folder, file, { from, length });
      if (groups.length === 0) return false;
      await take(journal, from, groups);
      return true;
    },

    newPrices: () => calls.newPrices(),

    async settle(settlements, instanceId) {
      if (settlements.length === 0) return;
      const steps = settlements.map((settlement) => ({ intent: null, settlement: asJournaled(settlement) }));
      const { ended, unknown } = await inTransaction(async (query): Promise<WrittenCalls> => {
        const { rows } = await query(`select ${REMOVED} as removed`);
        calls.begin(rows[0]!.removed);
        const written = await calls.write(query, steps, instanceId);
        if (written.unknown.length > 0) throw neverOpened(written.unknown[0]!.settlement);
        return written;
      });
      await tell({ ended, refused: unknown.map((record) => ({ record, error: neverOpened(record.settlement) })) });
    },

    async instances() {
      const journals = await pool.query<{ file: string }>(`select file from ${table('journals')}`);
      const owners = await pool.query<{ id: string }>(
        `select distinct instance_id as id from ${table('calls')} where status = 'open'
         union select instance_id from ${table('worker_spend')}`,
      );
      const writers = journals.rows.flatMap(({ file }) => instanceOf(file) ?? []);
      return [...new Set([...writers, ...owners.rows.map(({ id }) => id)])];
    },

    async removeJournals(instanceId) {
      for (const journal of listJournals(folder)) {
        if (journal.instanceId !== instanceId) continue;
        removeJournal(folder, journal.file);
        positions.delete(journal.file);
      }
      await pool.query(`delete from ${table('journals')} where starts_with(file, $1)`, [`journal.${instanceId}.`]);
    },

    async forget(instanceId) {
      await pool.query(`delete from ${table('worker_spend')} where instance_id = $1`, [instanceId]);
    },
  };
}

const REMOVED = `(select value from ${table('counters')} where name = 'removed_groups')`;

type Outcome = Pick<Taken, 'ended' | 'refused'>;
type Batch = {
  groups: readonly Group[];
  write(query: RunQuery, steps: readonly TakeOverStep[], instanceId: string): Promise<Outcome>;
};

function isRefusal(error: unknown): boolean {
  return isValueFault(error) || sqlState(error)?.startsWith(PROGRAM_LIMIT) === true;
}

function neverOpened({ id }: Settlement): Error {
  return new Error(`The call ${id} was never opened.`);
}

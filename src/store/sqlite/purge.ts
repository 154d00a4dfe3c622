import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { storageUnavailable } from '../errors.ts';
import { DELETED_COLUMNS, type DeletedCall, groupsOfDeleted, sumsOfDeleted, waitsOfDeleted } from '../purged-calls.ts';
import { SUM_COLUMNS } from '../sum-columns.ts';
import { count } from './driver.ts';
import { waitingForLock } from './lock-wait.ts';

/** How many calls one transaction looks at. */
const BATCH = 100;

/** How many groups one statement looks at. */
const GROUPS_PER_STEP = 1_000;

export type PurgeParts = {
  database: DatabaseSync;
  lockWaitMs: number;
  onFailure(error: unknown): void;
};

/**
 * Makes the function that deletes settled calls created before the given time (Unix ms), and everything that is kept beside
 * them. It takes them out of lists and daily sums, and resolves with how many calls it deleted. Ids sort by time: each
 * organization is walked from its oldest call to the first batch that reaches `before`.
 */
export function createPurge({ database, lockWaitMs, onFailure }: PurgeParts): (before: number) => Promise<number> {
  const calls = new CallDeletion(database);
  const organizations = database.prepare('select id from organizations');

  async function attempt<Result>(work: () => Result): Promise<Result> {
    try {
      return await waitingForLock(lockWaitMs, work);
    } catch (error) {
      onFailure(error);
      throw storageUnavailable(error);
    }
  }

  function inTransaction<Result>(work: () => Result): Promise<Result> {
    return attempt(() => {
      database.exec('begin immediate');
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    });
  }

  /** Groups that no call is in any more: names that callers invented go with the last record of them. */
  async function removeEmptyGroups(): Promise<void> {
    for (const [table, member] of [
      ['call_groups', 'grouped_calls'],
      ['usage_groups', 'usage_days'],
    ] as const) {
      const { last, remove } = await attempt(() => ({
        last: Number(database.prepare(`select coalesce(max(number), 0) as number from ${table}`).get()!.number),
        remove: database.prepare(
          `delete from ${table} where number > ? and number <= ?
             and not exists (select 1 from ${member} where group_number = number)`,
        ),
      }));
      for (let from = 0; from < last; from += GROUPS_PER_STEP) {
        await inTransaction(() => {
          // Nobody may go on using the number of a group that is gone.
          if (Number(remove.run(from, from + GROUPS_PER_STEP).changes) > 0) count(database, 'removed_groups');
        });
        await turn();
      }
    }
  }

  return async (before) => {
    let purged = 0;
    for (const { id } of await attempt(() => organizations.all())) {
      for (let start: string | null = ''; start !== null; await turn()) {
        const from: string = start;
        const step = await inTransaction(() => calls.deleteBatch(String(id), from, before));
        purged += step.deleted;
        start = step.next;
      }
    }
    if (purged > 0) await removeEmptyGroups();
    return purged;
  };
}

/** Deletes calls. Each method belongs inside a transaction. */
class CallDeletion {
  readonly #batch: StatementSync;
  readonly #deletions: readonly StatementSync[];
  readonly #groups: StatementSync;
  readonly #ungroup: StatementSync;
  readonly #parents: StatementSync;
  readonly #takeSums: StatementSync;
  readonly #dropDay: StatementSync;
  readonly #takeWaits: StatementSync;
  readonly #dropWaits: StatementSync;

  constructor(database: DatabaseSync) {
    this.#batch = database.prepare(
      `select ${DELETED_COLUMNS}
       from calls where organization_id = ? and id > ? order by id limit ${BATCH}`,
    );
    this.#batch.setReadBigInts(true);
    const these = 'in (select value from json_each(?2))';
    this.#deletions = [
      `delete from calls where organization_id = ?1 and id ${these}`,
      `delete from decisions where organization_id = ?1 and call_id ${these}`,
      `delete from feedback where ?1 is not null and call_id ${these}`,
      `delete from earlier_attempts where ?1 is not null and call_id ${these}`,
    ].map((sql) => database.prepare(sql));
    this.#groups = database.prepare(
      `select number from call_groups where organization_id = ? and key_id = ? and source = ? and product = ?
         and tool_name = ? and model = ? and requested_model = ? and status = ?`,
    );
    this.#ungroup = database.prepare('delete from grouped_calls where group_number = ? and call_id = ?');
    this.#parents = database.prepare('select by_caller, by_server, by_tool from usage_groups where number = ?');
    const day = 'organization_id = ? and shape in (0, 1, 2, 3) and day = ? and group_number = ?';
    // A column that was added later has nothing of earlier calls: never take more than there is.
    this.#takeSums = database.prepare(
      `update usage_days set ${SUM_COLUMNS.map(({ column }) => `${column} = max(0, ${column} - ?)`)} where ${day}`,
    );
    this.#dropDay = database.prepare(`delete from usage_days where ${day} and calls = 0`);
    const waits = 'organization_id = ? and day = ? and ms = ?';
    this.#takeWaits = database.prepare(`update first_tokens set calls = calls - ? where ${waits}`);
    this.#dropWaits = database.prepare(`delete from first_tokens where ${waits} and calls = 0`);
  }

  /** The calls after `start` that are settled and older than `before`. `next`: where to go on; `null` at the end. */
  deleteBatch(organizationId: string, start: string, before: number): { deleted: number; next: string | null } {
    const rows = this.#batch.all(organizationId, start) as unknown as DeletedCall[];
    const calls = rows.filter(({ status, created_at: at }) => status !== 'open' && at < before);
    if (calls.length > 0) {
      const ids = JSON.stringify(calls.map(({ id }) => id));
      for (const deletion of this.#deletions) deletion.run(organizationId, ids);
      this.#ungroupAll(organizationId, calls);
      this.#takeOutOfDays(organizationId, calls);
      this.#takeOutOfWaits(organizationId, calls);
    }
    const last = rows.at(-1);
    const isLast = last === undefined || rows.length < BATCH || last.created_at >= before;
    return { deleted: calls.length, next: isLast ? null : last.id };
  }

  /** A call is in the group of its names, or in the one that names beyond the bound share. */
  #ungroupAll(organizationId: string, calls: readonly DeletedCall[]): void {
    const known = new Map<string, number[]>();
    for (const call of calls) {
      const { id, key_id: key, source, product, tool_name: tool, model, requested_model: name, status } = call;
      const place = JSON.stringify([key, source, product, tool, model, name, status]);
      let numbers = known.get(place);
      if (numbers === undefined) {
        numbers = groupsOfDeleted(call).flatMap((names) => {
          const found = this.#groups.get(organizationId, key, source, product ?? '', ...names, status);
          return found === undefined ? [] : [Number(found.number)];
        });
        known.set(place, numbers);
      }
      for (const number of numbers) this.#ungroup.run(number, id);
    }
  }

  #takeOutOfDays(organizationId: string, calls: readonly DeletedCall[]): void {
    for (const { day, group, sums } of sumsOfDeleted(calls)) {
      const taken = SUM_COLUMNS.map(({ member }) => sums[member]);
      for (const number of [group, ...this.#parentsOf(group)]) {
        this.#takeSums.run(...taken, organizationId, day, number);
        this.#dropDay.run(organizationId, day, number);
      }
    }
  }

  #parentsOf(group: number): number[] {
    return Object.values(this.#parents.get(group) ?? {}).flatMap((number) => (number === null ? [] : [Number(number)]));
  }

  #takeOutOfWaits(organizationId: string, calls: readonly DeletedCall[]): void {
    for (const { day, ms, calls: taken } of waitsOfDeleted(calls)) {
      this.#takeWaits.run(taken, organizationId, day, ms);
      this.#dropWaits.run(organizationId, day, ms);
    }
  }
}

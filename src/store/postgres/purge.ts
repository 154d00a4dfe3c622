import { setImmediate as turn } from 'node:timers/promises';
import { DELETED_COLUMNS, type DeletedCall, groupsOfDeleted, sumsOfDeleted, waitsOfDeleted } from '../purged-calls.ts';
import { SUM_COLUMNS } from '../sum-columns.ts';
import { boundRows, unnested, valuesOf } from './arrays.ts';
import { type Columns, inOrder, type RowValues } from './bulk.ts';
import { count } from './driver.ts';
import { mayDoAgain } from './errors.ts';
import { GROUPS_LOCK } from './locks.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { table } from './reading.ts';

/** How many calls one transaction looks at. */
const BATCH = 500;
/** How many groups one statement looks at. */
const GROUPS_PER_STEP = 1_000;
/** How often a transaction is tried that others are in the way of. */
const MOST_TRIES = 20;

/**
 * Makes the function that deletes settled calls created before the given time (Unix ms), as `sqlite/purge.ts`: in steps, each a
 * transaction that takes its calls out of lists and sums, so that sums are exact at each moment. Resolves with how many it deleted.
 */
export function createPurge(pool: PostgresPool): (before: number) => Promise<number> {
  async function inTransaction<Value>(work: (query: RunQuery) => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await pool.transaction('read committed', work);
      } catch (error) {
        if (!mayDoAgain(error) || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** Groups that no call is in any more: names that callers invented go with the last record of them. */
  async function removeEmptyGroups(): Promise<void> {
    for (const [groups, member] of [
      ['call_groups', 'grouped_calls'],
      ['usage_groups', 'usage_days'],
    ] as const) {
      const { rows } = await pool.query<{ last: bigint | null }>(`select max(number) as last from ${table(groups)}`);
      const last = Number(rows[0]!.last ?? 0);
      for (let from = 0; from < last; from += GROUPS_PER_STEP) {
        await inTransaction(async (query) => {
          await query('select pg_advisory_xact_lock($1)', [GROUPS_LOCK]);
          const removed = await query(
            `delete from ${table(groups)} as groups where number > $1 and number <= $2
               and not exists (select 1 from ${table(member)} as members where members.group_number = groups.number)`,
            [from, from + GROUPS_PER_STEP],
          );
          // Nobody may go on using the number of a group that is gone.
          if (removed.count > 0) await count(query, 'removed_groups');
        });
        await turn();
      }
    }
  }

  return async (before) => {
    let purged = 0;
    const { rows } = await pool.query<{ id: string }>(`select id from ${table('organizations')}`);
    for (const { id } of rows) {
      for (let start: string | null = ''; start !== null; await turn()) {
        const from: string = start;
        const step = await inTransaction((query) => deleteBatch(query, id, { start: from, before }));
        purged += step.deleted;
        start = step.next;
      }
    }
    if (purged > 0) await removeEmptyGroups();
    return purged;
  };
}

/** The calls after `start` that are settled and older than `before`. `next`: where to go on; `null` at the end. */
async function deleteBatch(
  query: RunQuery,
  organizationId: string,
  { start, before }: { start: string; before: number },
): Promise<{ deleted: number; next: string | null }> {
  const { rows } = await query<DeletedCall>(
    `select ${DELETED_COLUMNS} from ${table('calls')} where organization_id = $1 and id > $2
     order by id limit ${BATCH} for update`,
    [organizationId, start],
  );
  const calls = rows.filter(({ status, created_at: at }) => status !== 'open' && at < before);
  if (calls.length > 0) {
    const ids = calls.map(({ id }) => id);
    for (const [from, id] of BESIDE) await query(`delete from ${table(from)} where ${id} = any($1::text[])`, [ids]);
    for (const [from, id] of OF_ORGANIZATION)
      await query(`delete from ${table(from)} where organization_id = $1 and ${id} = any($2::text[])`, [
        organizationId,
        ids,
      ]);
    await ungroup(query, organizationId, calls);
    await takeOutOfDays(query, organizationId, calls);
    await takeOutOfWaits(query, organizationId, calls);
  }
  const last = rows.at(-1);
  const isLast = last === undefined || rows.length < BATCH || last.created_at >= before;
  return { deleted: calls.length, next: isLast ? null : last.id };
}

const BESIDE = [
  ['feedback', 'call_id'],
  ['earlier_attempts', 'call_id'],
] as const;
const OF_ORGANIZATION = [
  ['decisions', 'call_id'],
  ['calls', 'id'],
] as const;

const NAMES: Columns = [
  ['key_id', 'text'],
  ['source', 'text'],
  ['product', 'text'],
  ['tool_name', 'text'],
  ['model', 'text'],
  ['requested_model', 'text'],
  ['status', 'text'],
  ['call_id', 'text'],
];

/** A call is in the group of its names, or in the one that names beyond the bound share. */
async function ungroup(query: RunQuery, organizationId: string, calls: readonly DeletedCall[]): Promise<void> {
  const rows = calls.flatMap((call) => {
    const { id, key_id: key, source, product, status } = call;
    return groupsOfDeleted(call).map((names) => [key, source, product ?? '', ...names, status, id]);
  });
  const arrays = boundRows(NAMES, rows);
  await query(
    `delete from ${table('grouped_calls')} as members using ${unnested(arrays, 2)} as gone (${NAMES.map(([name]) => name).join(', ')})
     cross join lateral (
       select number from ${table('call_groups')} as groups where groups.organization_id = $1
         and (groups.key_id, groups.source, groups.product, groups.tool_name, groups.model, groups.requested_model, groups.status)
           = (gone.key_id, gone.source, gone.product, gone.tool_name, gone.model, gone.requested_model, gone.status) limit 1
     ) as found
     where members.group_number = found.number and members.call_id = gone.call_id`,
    [organizationId, ...valuesOf(arrays)],
  );
}

const SUMS: Columns = SUM_COLUMNS.map(({ column }) => [column, 'integer']);
const DAYS: Columns = [['of_group', 'integer'], ['of_day', 'integer'], ...SUMS];

/** Rows that many write, in the order in which they all do. A day of which nothing is left goes. */
async function takeOutOfDays(query: RunQuery, organizationId: string, calls: readonly DeletedCall[]): Promise<void> {
  const rows = sumsOfDeleted(calls).map(
    ({ day, group, sums }): RowValues => [group, day, ...SUM_COLUMNS.map(({ member }) => sums[member])],
  );
  if (rows.length === 0) return;
  const arrays = boundRows(DAYS, inOrder(rows));
  // A column that was added later has nothing of earlier calls: never take more than there is.
  await query(
    `with taken as (
       select numbers.number, gone.of_day, ${SUM_COLUMNS.map(({ column }) => `sum(gone.${column})::bigint as ${column}`).join(', ')}
       from ${unnested(arrays, 2)} as gone (${DAYS.map(([name]) => name).join(', ')})
       join ${table('usage_groups')} as groups on groups.number = gone.of_group
       cross join lateral unnest(array[groups.number, groups.by_caller, groups.by_server, groups.by_tool]) as numbers (number)
       where numbers.number is not null group by numbers.number, gone.of_day
     ), locked as (
       select days.shape, days.day, days.group_number from taken join ${table('usage_days')} as days
         on days.organization_id = $1 and days.shape in (0, 1, 2, 3) and days.day = taken.of_day and days.group_number = taken.number
       order by days.shape, days.day, days.group_number for update of days
     )
     update ${table('usage_days')} as days
     set ${SUM_COLUMNS.map(({ column }) => `${column} = greatest(0, days.${column} - taken.${column})`).join(', ')}
     from taken, locked where days.organization_id = $1 and days.shape = locked.shape and days.day = locked.day
       and days.group_number = locked.group_number and taken.of_day = locked.day and taken.number = locked.group_number`,
    [organizationId, ...valuesOf(arrays)],
  );
  await query(
    `delete from ${table('usage_days')} where organization_id = $1 and shape in (0, 1, 2, 3) and day = any($2::bigint[])
       and calls = 0`,
    [organizationId, [...new Set(rows.map(([, day]) => day))]],
  );
}

async function takeOutOfWaits(query: RunQuery, organizationId: string, calls: readonly DeletedCall[]): Promise<void> {
  const rows = inOrder(waitsOfDeleted(calls).map(({ day, ms, calls: taken }): RowValues => [day, ms, taken]));
  if (rows.length === 0) return;
  const columns: Columns = [
    ['of_day', 'integer'],
    ['of_ms', 'integer'],
    ['taken', 'integer'],
  ];
  const arrays = boundRows(columns, rows);
  const gone = `${unnested(arrays, 2)} as gone (of_day, of_ms, taken)`;
  const isOf = 'waits.organization_id = $1 and waits.day = gone.of_day and waits.ms = gone.of_ms';
  const values = [organizationId, ...valuesOf(arrays)];
  await query(
    `select 1 from ${table('first_tokens')} as waits join ${gone} on ${isOf} order by waits.day, waits.ms for update of waits`,
    values,
  );
  await query(
    `update ${table('first_tokens')} as waits set calls = waits.calls - gone.taken from ${gone} where ${isOf}`,
    values,
  );
  await query(`delete from ${table('first_tokens')} as waits using ${gone} where ${isOf} and waits.calls = 0`, values);
}

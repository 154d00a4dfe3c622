import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** How many calls one transaction looks at. */
const BATCH = 500;

/** How many groups one statement looks at. */
const GROUPS_PER_STEP = 1_000;

/**
 * Deletes settled calls created before the given time (Unix milliseconds), with their attempts, and tells how many.
 * Ids sort by time: each organization is walked from its oldest call to the first batch that reaches `before`.
 */
export async function purgeCalls(db: Kysely<Schema>, before: number): Promise<number> {
  let purged = 0;
  for (const { id } of await db.selectFrom('organizations').select('id').execute()) {
    purged += await purgeOrganization(db, id, before);
  }
  if (purged > 0) await removeEmptyGroups(db);
  return purged;
}

/** Groups that no call is in any more: names that callers invented go with the last record of them. */
async function removeEmptyGroups(db: Kysely<Schema>): Promise<void> {
  for (const [table, member] of [
    ['call_groups', 'grouped_calls'],
    ['usage_groups', 'usage_days'],
  ] as const) {
    const { last } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.max('number').as('last'))
      .executeTakeFirstOrThrow();
    for (let from = 0n; last !== null && from < last; from += BigInt(GROUPS_PER_STEP)) {
      await db
        .deleteFrom(table)
        .where('number', '>', from)
        .where('number', '<=', from + BigInt(GROUPS_PER_STEP))
        .where(sql<boolean>`not exists (select 1 from ${sql.table(member)} where group_number = number)`)
        .execute();
      await turn();
    }
  }
}

async function purgeOrganization(db: Kysely<Schema>, organizationId: string, before: number): Promise<number> {
  let purged = 0;
  for (let start = ''; ; await turn()) {
    const batch = await db
      .selectFrom('calls')
      .select(['id', 'created_at'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', start)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = batch.at(-1);
    if (last === undefined) return purged;
    const { numDeletedRows } = await db
      .deleteFrom('calls')
      .where('organization_id', '=', organizationId)
      .where('id', '>', start)
      .where('id', '<=', last.id)
      .where('created_at', '<', BigInt(before))
      .where('status', '<>', 'open')
      .executeTakeFirst();
    purged += Number(numDeletedRows);
    if (last.created_at >= before) return purged;
    start = last.id;
  }
}

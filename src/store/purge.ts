import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** How many calls one transaction looks at. */
const BATCH = 500;

/**
 * Deletes settled calls created before the given time (Unix milliseconds), with their attempts, and tells how many.
 * Ids sort by time: each organization is walked from its oldest call to the first batch that reaches `before`.
 */
export async function purgeCalls(db: Kysely<Schema>, before: number): Promise<number> {
  let purged = 0;
  for (const { id } of await db.selectFrom('organizations').select('id').execute()) {
    purged += await purgeOrganization(db, id, before);
  }
  return purged;
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

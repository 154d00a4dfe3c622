import { type Expression, type Kysely, sql } from 'kysely';
import type { AuditQuery } from '../../core/audit.ts';
import type { Schema } from '../schema.ts';

/** Values that a column is asked for; there is an index of the column. */
export type AuditColumn = { column: Expression<string | null>; values: readonly string[] };
/** An entry passes where one of these columns has one of its values. */
export type AuditFilter = readonly AuditColumn[];

const ACTOR = sql.ref<string | null>('actor_id');
const EMAIL = sql.ref<string | null>('actor_email');
/** Who was signed in, or whose key it was. It must be written as in the index `audit_log_by_user`, or that is not used. */
const USER = sql<string | null>`case when json_valid(event) then json_extract(event, '$.actor.userId') end`;

/** For each filter by actors what it looks at; an entry must be found by each of them. Each column has an index. */
export async function actorsAskedFor(
  db: Kysely<Schema>,
  organizationId: string,
  { actorIds, actorEmails }: AuditQuery,
): Promise<AuditFilter[]> {
  const filters: AuditFilter[] = [];
  if (actorIds !== undefined)
    filters.push([
      { column: ACTOR, values: actorIds },
      { column: USER, values: actorIds },
    ]);
  if (actorEmails !== undefined)
    filters.push([
      { column: EMAIL, values: actorEmails },
      { column: USER, values: await membersOf(db, organizationId, actorEmails) },
    ]);
  return filters;
}

/** The ids of members who have one of these addresses. */
async function membersOf(db: Kysely<Schema>, organizationId: string, emails: readonly string[]): Promise<string[]> {
  const members = await db
    .selectFrom('settings')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit('member' as const))
    .where(sql<string>`json_extract(value, '$.email')`, 'in', emails)
    .execute();
  return members.map(({ id }) => id);
}

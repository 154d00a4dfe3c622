import { type Kysely, sql } from 'kysely';
import type { AuditQuery } from '../core/audit.ts';
import type { AuditFilter } from './audit-search.ts';
import { EMAIL } from './listed.ts';
import type { Schema } from './schema.ts';

/** For each filter by actors what it looks at; an entry must be found by each of them. */
export async function actorsAskedFor(
  db: Kysely<Schema>,
  organizationId: string,
  { actorIds, actorEmails }: AuditQuery,
): Promise<AuditFilter[]> {
  const filters: AuditFilter[] = [];
  if (actorIds !== undefined)
    filters.push([
      { column: 'actor_id', values: actorIds },
      { column: 'user', values: actorIds },
    ]);
  if (actorEmails !== undefined)
    filters.push([
      { column: 'actor_email', values: actorEmails },
      { column: 'user', values: await membersOf(db, organizationId, actorEmails) },
    ]);
  return filters;
}

/** The ids of members who have one of these addresses. */
async function membersOf(db: Kysely<Schema>, organizationId: string, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const members = await db
    .selectFrom('settings')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit('member' as const))
    .where(EMAIL, 'in', emails)
    .execute();
  return members.map(({ id }) => id);
}

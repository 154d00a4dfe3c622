import { type Kysely, sql } from 'kysely';
import type { OldUsageKey, OldUsageQuery } from '../core/settings-store.ts';
import { indexedBy, table, textsOf } from './dialect.ts';
import type { Schema } from './schema.ts';

/**
 * The keys of an organization that read all its usage since before anybody could choose that, by id. Those of people read no
 * more than the person may, and those that administer are meant to.
 */
export async function oldUsageKeys(
  db: Kysely<Schema>,
  organizationId: string,
  { now, limit, ofProjects }: OldUsageQuery,
): Promise<OldUsageKey[]> {
  const index = ofProjects === undefined ? 'api_keys_with_old_usage' : 'api_keys_with_old_usage_by_project';
  const { rows } = await sql<OldUsageKey>`
    select id, name from ${table('api_keys')} ${indexedBy(index)}
    where organization_id = ${organizationId} and usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null
      and access = 'models' and admin = 0 and owner_type is distinct from 'user'
      and (expires_at is null or expires_at > ${BigInt(now)})
      and ${ofProjects === undefined ? sql`true` : sql`project_id in ${textsOf(ofProjects)}`}
    order by id limit ${limit}
  `.execute(db);
  return rows.map(({ id, name }) => ({ id, name }));
}

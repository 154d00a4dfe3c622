import { type Kysely, sql } from 'kysely';
import type { EndingKey, EndingKeysQuery } from '../core/settings-store.ts';
import { indexedBy, member, table, textsOf } from './dialect.ts';
import type { Schema } from './schema.ts';

type EndingKeyRow = {
  id: string;
  name: string;
  expires_at: bigint;
  project_id: string | null;
  project_name: string | null;
};

/** The keys of an organization that end within a time, those that end first. */
export async function endingKeys(
  db: Kysely<Schema>,
  organizationId: string,
  { access, after, until, limit, ofProjects }: EndingKeysQuery,
): Promise<EndingKey[]> {
  const index = ofProjects === undefined ? 'api_keys_ending' : 'api_keys_ending_by_project';
  const { rows } = await sql<EndingKeyRow>`
    select api_keys.id, api_keys.name, api_keys.expires_at, project.id as project_id,
      ${member('project.value', 'name')} as project_name
    from ${table('api_keys')} ${indexedBy(index)}
      left join ${table('settings')} as project on project.organization_id = api_keys.organization_id
      and project.kind = 'project' and project.parent_id = '' and project.id = api_keys.project_id
    where api_keys.organization_id = ${organizationId} and api_keys.access = ${access}
      and api_keys.revoked_at is null and api_keys.disabled_at is null
      and api_keys.expires_at > ${BigInt(after)} and api_keys.expires_at <= ${BigInt(until)}
      and (api_keys.access = 'administration'
        or (project.id is not null and ${member('project.value', 'archivedAt')} is null))
      and ${ofProjects === undefined ? sql`true` : sql`api_keys.project_id in ${textsOf(ofProjects)}`}
    order by api_keys.expires_at, api_keys.id limit ${limit}
  `.execute(db);
  return rows.map(({ id, name, expires_at: endsAt, project_id: projectId, project_name: projectName }) => ({
    id,
    name,
    endsAt: Number(endsAt),
    project: projectId === null ? null : { id: projectId, name: projectName ?? projectId },
  }));
}

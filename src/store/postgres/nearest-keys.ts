import { type RawBuilder, sql } from 'kysely';
import { table } from '../dialect.ts';
import type { NearKeys } from '../key-lists.ts';
import { isOpenProject } from '../listed.ts';

/** Of each project no more is read than a page has, from the index. */
export function nearestKeys(near: NearKeys): RawBuilder<string> {
  const { organizationId, access, projects, isPast, direction, limit } = near;
  return sql<string>`(
    select mine.id
    from json_array_elements_text(${JSON.stringify([...projects])}::json) as place (project_id)
    cross join lateral (
      select id, created_at from ${table('api_keys')}
      where organization_id = ${organizationId} and project_id = place.project_id and access = ${access}
        and revoked_at is null and ${isPast}
      order by created_at ${sql.raw(direction)}, id ${sql.raw(direction)} limit ${limit + 1}) as mine
    where ${isOpenProject(sql`${organizationId}`, sql`place.project_id`)})`;
}

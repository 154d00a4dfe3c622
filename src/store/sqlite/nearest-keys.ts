import { type RawBuilder, sql } from 'kysely';
import type { NearKeys } from '../key-lists.ts';
import { isOpenProject } from '../listed.ts';

/**
 * The keys of some projects that are nearest to where a page begins: the nearest of each project, then one by one the nearest of
 * all and in its place the next of its project. What others have costs nothing, and neither does what a project has beyond the page.
 */
export function nearestKeys(near: NearKeys): RawBuilder<string> {
  const { organizationId, access, projects, isPast, direction, past, limit } = near;
  const first = (projectId: RawBuilder<unknown>, isNext: RawBuilder<unknown>) => sql`(
    select id from api_keys
    where organization_id = ${organizationId} and project_id = ${projectId} and access = ${access}
      and revoked_at is null and ${isNext}
    order by created_at ${sql.raw(direction)}, id ${sql.raw(direction)} limit 1)`;
  const behind = sql`(created_at, id) ${sql.raw(past)} (near.created_at, near.id)`;
  return sql<string>`(
    with recursive near (created_at, id, project_id) as (
      select mine.created_at, mine.id, mine.project_id from json_each(${JSON.stringify([...projects])}) as place
      join api_keys as mine on mine.id = ${first(sql`place.value`, isPast)}
      where ${isOpenProject(sql`${organizationId}`, sql`place.value`)}
      union all
      select mine.created_at, mine.id, mine.project_id from near
      join api_keys as mine on mine.id = ${first(sql`near.project_id`, behind)}
      order by 1 ${sql.raw(direction)}, 2 ${sql.raw(direction)} limit ${limit + 1})
    select id from near)`;
}

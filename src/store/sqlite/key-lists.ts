import { type Kysely, type RawBuilder, sql } from 'kysely';
import { GatewayError } from '../../core/errors.ts';
import type { ApiKey } from '../../core/records.ts';
import type { Page } from '../../core/settings.ts';
import type { KeyListQuery } from '../../core/settings-store.ts';
import { keyOf, readKey } from '../keys.ts';
import { pageOf, placeOf } from '../pages.ts';
import type { Schema } from '../schema.ts';
import { isOfAbsent } from './absent-owners.ts';
import { isOpenProject } from './listed.ts';

/** Keys that were not revoked, or were at the time that is asked for, in the order in which they were made. */
export async function listKeysOf(
  db: Kysely<Schema>,
  organizationId: string,
  query: KeyListQuery,
): Promise<Page<ApiKey>> {
  const isPast = await pastCursor(db, organizationId, query);
  const rows =
    query.ofOpenProjects === undefined || query.ofOpenProjects === 'all'
      ? matching(db, organizationId, query, isPast)
      : nearest(db, { ...query, organizationId, projects: query.ofOpenProjects, isPast });
  const { direction } = placeOf(query, 'asc');
  const inOrder = rows.orderBy('created_at', direction).orderBy('id', direction);
  return pageOf((await inOrder.limit(query.limit + 1).execute()).map(readKey), query);
}

/** Whether a key is past the place where the page begins; `null` where it begins at the beginning. */
async function pastCursor(
  db: Kysely<Schema>,
  organizationId: string,
  query: KeyListQuery,
): Promise<RawBuilder<boolean> | null> {
  const { from, past } = placeOf(query, 'asc');
  if (from === undefined) return null;
  const cursor = await keyOf(db, from, organizationId);
  if (cursor === null) throw unknownCursor(query.before === undefined ? 'after' : 'before');
  return sql<boolean>`(created_at, id) ${sql.raw(past)} (${BigInt(cursor.createdAt)}, ${from})`;
}

function matching(db: Kysely<Schema>, organizationId: string, query: KeyListQuery, isPast: RawBuilder<boolean> | null) {
  const { access, projectId, ownerId, product, revokedAt = null, ofOpenProjects, isOwnerHere } = query;
  let rows = db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('access', '=', access);
  // Written so that an index of those alone serves it.
  rows = revokedAt === null ? rows.where('revoked_at', 'is', null) : rows.where('revoked_at', '=', BigInt(revokedAt));
  if (projectId !== undefined) rows = rows.where('project_id', '=', projectId);
  if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId);
  if (product !== undefined) rows = rows.where('product', '=', product);
  if (isOwnerHere !== undefined) rows = rows.where(isOfOwnerHere(), '=', sql.lit(isOwnerHere ? 1 : 0));
  if (ofOpenProjects === 'all')
    rows = rows.where(isOpenProject(sql`api_keys.organization_id`, sql`api_keys.project_id`));
  return isPast === null ? rows : rows.where(isPast);
}

type Near = KeyListQuery & {
  organizationId: string;
  projects: ReadonlySet<string>;
  isPast: RawBuilder<boolean> | null;
};

/**
 * The keys of some projects that are nearest to where a page begins: the nearest of each project, then one by one the nearest of
 * all and in its place the next of its project. What others have costs nothing, and neither does what a project has beyond the page.
 */
function nearest(db: Kysely<Schema>, { organizationId, access, projects, isPast, ...query }: Near) {
  const { direction, past } = placeOf(query, 'asc');
  const first = (projectId: RawBuilder<unknown>, isNext: RawBuilder<unknown>) => sql`(
    select id from api_keys
    where organization_id = ${organizationId} and project_id = ${projectId} and access = ${access}
      and revoked_at is null and ${isNext}
    order by created_at ${sql.raw(direction)}, id ${sql.raw(direction)} limit 1)`;
  const behind = sql`(created_at, id) ${sql.raw(past)} (near.created_at, near.id)`;
  const ids = sql<string>`(
    with recursive near (created_at, id, project_id) as (
      select mine.created_at, mine.id, mine.project_id from json_each(${JSON.stringify([...projects])}) as place
      join api_keys as mine on mine.id = ${first(sql`place.value`, isPast ?? sql`true`)}
      where ${isOpenProject(sql`${organizationId}`, sql`place.value`)}
      union all
      select mine.created_at, mine.id, mine.project_id from near
      join api_keys as mine on mine.id = ${first(sql`near.project_id`, behind)}
      order by 1 ${sql.raw(direction)}, 2 ${sql.raw(direction)} limit ${query.limit + 1})
    select id from near)`;
  return db.selectFrom('api_keys').selectAll().where('id', 'in', ids);
}

/** 1 where nobody owns a key, or whoever does is in its project; else 0. */
function isOfOwnerHere(): RawBuilder<number> {
  const has = (kind: string, parent: RawBuilder<unknown>) => sql`exists (
    select 1 from settings as holder where holder.organization_id = api_keys.organization_id
      and holder.kind = ${sql.lit(kind)} and holder.parent_id = ${parent} and holder.id = api_keys.owner_id)`;
  return sql<number>`case coalesce(owner_type, '')
    when 'user' then ${has('member', sql.lit(''))} and not (${isOfAbsent(null)})
    when 'service_account' then ${has('service_account', sql.ref('api_keys.project_id'))}
    else 1 end`;
}

/** Keys that call models and were not revoked, by project. */
export async function keyCountsOf(
  db: Kysely<Schema>,
  organizationId: string,
  projectIds: readonly string[],
): Promise<Map<string, number>> {
  const counted = db
    .selectFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .where('access', '=', 'models')
    .where('revoked_at', 'is', null)
    .where('project_id', 'in', [...projectIds])
    .select(['project_id', (eb) => eb.fn.countAll().as('rows')])
    .groupBy('project_id');
  return new Map((await counted.execute()).map(({ project_id: id, rows }) => [id!, Number(rows)]));
}

function unknownCursor(param: 'after' | 'before'): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` is no key of this organization.`, { param });
}

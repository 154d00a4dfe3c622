import { type Expression, type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/records.ts';
import type { Page } from '../core/settings.ts';
import type { KeyListQuery } from '../core/settings-store.ts';
import { isOfAbsent } from './absent-owners.ts';
import { table, textsOf } from './dialect.ts';
import { keyOf, readKey } from './keys.ts';
import { isOpenProject } from './listed.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** What is asked for of the keys of some projects. */
export type NearKeys = Pick<KeyListQuery, 'access' | 'limit'> & {
  organizationId: string;
  projects: ReadonlySet<string>;
  /** Whether a key is past the place where the page begins. */
  isPast: RawBuilder<boolean>;
  direction: 'asc' | 'desc';
  past: '>' | '<';
};

/** The ids of the keys of some open projects that are nearest to where a page begins, one more than it has, in an engine's words. */
export type NearestKeys = (near: NearKeys) => Expression<string>;

/** Keys that were not revoked, or were at the time that is asked for, in the order in which they were made. */
export async function listKeysOf(
  db: Kysely<Schema>,
  nearestKeys: NearestKeys,
  organizationId: string,
  query: KeyListQuery,
): Promise<Page<ApiKey>> {
  const { access, limit, ofOpenProjects: projects } = query;
  const isPast = await pastCursor(db, organizationId, query);
  const { direction, past } = placeOf(query, 'asc');
  let rows = db.selectFrom('api_keys').selectAll();
  if (projects === undefined || projects === 'all') rows = matching(rows, organizationId, query, isPast);
  else {
    const place = { isPast: isPast ?? sql<boolean>`true`, direction, past };
    rows = rows.where('id', 'in', nearestKeys({ organizationId, access, limit, projects, ...place }));
  }
  const inOrder = rows.orderBy('created_at', direction).orderBy('id', direction);
  return pageOf((await inOrder.limit(limit + 1).execute()).map(readKey), query);
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

type KeyRows = SelectQueryBuilder<Schema, 'api_keys', Selectable<Schema['api_keys']>>;

function matching(
  all: KeyRows,
  organizationId: string,
  query: KeyListQuery,
  isPast: RawBuilder<boolean> | null,
): KeyRows {
  const { access, projectId, ownerId, product, revokedAt = null, ofOpenProjects, isOwnerHere } = query;
  let rows = all.where('organization_id', '=', organizationId).where('access', '=', access);
  // Written so that an index of those alone serves it.
  rows = revokedAt === null ? rows.where('revoked_at', 'is', null) : rows.where('revoked_at', '=', BigInt(revokedAt));
  if (projectId !== undefined) rows = rows.where('project_id', '=', projectId);
  if (ownerId !== undefined) rows = rows.where('owner_id', '=', ownerId);
  if (product !== undefined) rows = rows.where('product', '=', product);
  if (isOwnerHere !== undefined) rows = rows.where(isOfOwnerHere(), '=', sql.lit(isOwnerHere));
  if (ofOpenProjects === 'all')
    rows = rows.where(isOpenProject(sql`api_keys.organization_id`, sql`api_keys.project_id`));
  return isPast === null ? rows : rows.where(isPast);
}

/** Whether nobody owns a key, or whoever does is in its project. */
function isOfOwnerHere(): RawBuilder<boolean> {
  const has = (kind: string, parent: RawBuilder<unknown>) => sql`exists (
    select 1 from ${table('settings')} as holder where holder.organization_id = api_keys.organization_id
      and holder.kind = ${sql.lit(kind)} and holder.parent_id = ${parent} and holder.id = api_keys.owner_id)`;
  return sql<boolean>`(case coalesce(owner_type, '')
    when 'user' then ${has('member', sql.lit(''))} and not (${isOfAbsent(null)})
    when 'service_account' then ${has('service_account', sql.ref('api_keys.project_id'))}
    else true end)`;
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
    .where('project_id', 'in', textsOf(projectIds))
    .select(['project_id', (eb) => eb.fn.countAll().as('rows')])
    .groupBy('project_id');
  return new Map((await counted.execute()).map(({ project_id: id, rows }) => [id!, Number(rows)]));
}

function unknownCursor(param: 'after' | 'before'): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` is no key of this organization.`, { param });
}

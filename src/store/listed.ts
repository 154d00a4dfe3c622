import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PageQuery } from '../core/settings.ts';
import type { MemberListQuery, ProjectListQuery } from '../core/settings-store.ts';
import { integerMember, member, table, textsOf } from './dialect.ts';
import { placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

// Conditions are written as in the indexes of the schemas, or those are not used.
export const EMAIL = member('value', 'email');
const IS_OWNER = sql<boolean>`(${member('value', 'role')} = 'owner') = true`;
const INVITED_BY = member('value', 'invitedBy');
const IS_UNACCEPTED = sql<boolean>`(${member('value', 'acceptedAt')} is null) = true`;
export const IS_OPEN = sql<boolean>`(${member('value', 'archivedAt')} is null) = true`;

/** The members of an organization, or those of some addresses, or its owners: one more than a page has. */
export function memberRows(db: Kysely<Schema>, organizationId: string, query: MemberListQuery) {
  const rows = page(db, organizationId, { kind: 'member', query });
  const { emails } = query;
  // As a list of values, or the index is not used.
  if (emails !== undefined) return emails.length === 0 ? rows.where(sql.lit(false)) : rows.where(EMAIL, 'in', emails);
  return query.areOwners ? rows.where(IS_OWNER) : rows;
}

/** The invites that somebody has sent and nobody has accepted. */
export function openInviteRows(db: Kysely<Schema>, organizationId: string, senderId: string) {
  return db
    .selectFrom('settings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit('invite'))
    .where(INVITED_BY, '=', senderId)
    .where(IS_UNACCEPTED)
    .orderBy('id');
}

/** Whether an open invite of any organization is for this address. */
export async function isInvited(db: Kysely<Schema>, email: string, at: number): Promise<boolean> {
  const invite = db
    .selectFrom('organizations')
    .innerJoin('settings', 'settings.organization_id', 'organizations.id')
    .select('settings.id')
    .where('settings.kind', '=', sql.lit('invite'))
    .where(EMAIL, '=', email)
    .where(IS_UNACCEPTED)
    .where(integerMember('value', 'expiresAt'), '>', BigInt(at));
  return (await invite.executeTakeFirst()) !== undefined;
}

/** The projects of an organization, or some of them: one more than a page has. */
export function projectRows(db: Kysely<Schema>, organizationId: string, query: ProjectListQuery) {
  let rows = page(db, organizationId, { kind: 'project', query });
  if (query.ids !== undefined) rows = rows.where('id', 'in', textsOf(query.ids));
  return query.areOpen ? rows.where(IS_OPEN) : rows;
}

function page(
  db: Kysely<Schema>,
  organizationId: string,
  { kind, query }: { kind: 'member' | 'project'; query: PageQuery },
) {
  const { from, direction, past } = placeOf(query, 'asc');
  const rows = db
    .selectFrom('settings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', sql.lit(kind))
    .orderBy('id', direction)
    .limit(query.limit + 1);
  return from === undefined ? rows : rows.where('id', past, from);
}

/** Whether a project is there, and was not archived. */
export function isOpenProject(organizationId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from ${table('settings')} as project where project.organization_id = ${organizationId} and project.kind = 'project'
      and project.parent_id = '' and project.id = ${id} and ${member('project.value', 'archivedAt')} is null)`;
}

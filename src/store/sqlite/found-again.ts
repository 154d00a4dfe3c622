import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { SettingRead } from '../../core/settings.ts';
import type { Schema } from '../schema.ts';
import type { Statement } from '../statements.ts';

/** Has nothing of a transaction done where these rows are not what was found of them before. */
export function foundAgain(
  db: Kysely<Schema>,
  rows: SelectQueryBuilder<Schema, 'settings', Selectable<Schema['settings']>>,
  found: SettingRead['found'],
): Statement {
  const inOrder = rows
    .clearSelect()
    .select(sql<string>`json_array(id, parent_id, version, created_at)`.as('row'))
    .clearOrderBy()
    .orderBy(sql`id, parent_id`);
  const before = found
    .toSorted((one, other) => order(one.id, other.id) || order(one.parentId ?? '', other.parentId ?? ''))
    .map(({ id, parentId, version, createdAt }) => JSON.stringify([id, parentId ?? '', version, createdAt]));
  return condition(db, sql`(select coalesce(group_concat(row), '') from ${inOrder}) = ${before.join()}`);
}

/** The same of a key. */
export function keyFoundAgain(
  db: Kysely<Schema>,
  organizationId: string,
  { id, version, revokedAt }: { id: string; version: number | null; revokedAt: number | null },
): Statement {
  const key = db.selectFrom('api_keys').select('id').where('id', '=', id).where('organization_id', '=', organizationId);
  if (version === null) return condition(db, sql`not exists ${key}`);
  const same = key.where('version', '=', BigInt(version));
  return condition(db, sql`exists ${same.where('revoked_at', revokedAt === null ? 'is' : 'is not', null)}`);
}

/** Changes nothing, but has to find a row: one that is always there, where the condition holds. */
function condition(db: Kysely<Schema>, holds: RawBuilder<boolean>): Statement {
  const counter = db.updateTable('counters').set(({ ref }) => ({ value: ref('value') }));
  return { query: counter.where('name', '=', 'changes').where(holds).compile(), mustChange: true };
}

/** As the tables sort text: by its bytes. */
function order(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

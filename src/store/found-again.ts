import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { SettingRead } from '../core/settings.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statements.ts';

/** Has nothing of a transaction done where these rows are not what was found of them before. */
export function foundAgain(
  db: Kysely<Schema>,
  rows: SelectQueryBuilder<Schema, 'settings', Selectable<Schema['settings']>>,
  found: SettingRead['found'],
): Statement {
  const line = sql.lit('\n');
  const now = rows
    .clearSelect()
    .clearOrderBy()
    .select(sql<string>`id || ${line} || parent_id || ${line} || version || ${line} || created_at`.as('line'));
  const before = found
    .map(({ id, parentId, version, createdAt }) => [id, parentId ?? '', version, createdAt].join('\n'))
    .toSorted(byBytes);
  return condition(
    db,
    sql`(select coalesce(string_agg(line, ${line} order by line), '') from ${now} as now) = ${before.join('\n')}`,
  );
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

/** Changes nothing, but has to find a row: there is one where the condition holds. */
function condition(db: Kysely<Schema>, holds: RawBuilder<boolean>): Statement {
  return { query: db.selectNoFrom(sql`1`.as('one')).where(holds).compile(), mustChange: true };
}

/** As the tables sort text: by its bytes. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

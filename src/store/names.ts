import type { Kysely } from 'kysely';
import type { KeyNames } from '../core/records.ts';
import type { Schema } from './schema.ts';

export async function organizationIds(db: Kysely<Schema>): Promise<string[]> {
  return (await db.selectFrom('organizations').select('id').execute()).map((row) => row.id);
}

export async function keyNamesOf(db: Kysely<Schema>, ids: readonly string[]): Promise<KeyNames> {
  if (ids.length === 0) return {};
  const keys = await db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', ids).execute();
  return Object.fromEntries(keys.map(({ id, name }) => [id, name]));
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { KeyModels, KeysOfModelsQuery } from '../core/settings-store.ts';
import { indexedBy, table, textsOf } from './dialect.ts';
import type { Schema } from './schema.ts';

type CountedRow = { project_id: string; allowed_models: string | null; product: string | null; keys: bigint };

/**
 * Keys that call models and are on, counted by project and by what says which models they may use: there are few lists, however
 * many keys there are. The keys themselves are not read.
 */
export async function keyModelsOf(
  db: Kysely<Schema>,
  organizationId: string,
  { projectIds, now }: { projectIds: readonly string[]; now: number },
): Promise<KeyModels[]> {
  const { rows } = await sql<CountedRow>`
    select project_id, allowed_models, product, count(*) as keys from ${table('api_keys')} ${indexedBy('api_keys_by_models')}
    where ${areOn(organizationId, now)} and project_id in ${textsOf(projectIds)}
    group by project_id, allowed_models, product
  `.execute(db);
  return rows.map(({ project_id: projectId, allowed_models: models, product, keys }) => ({
    projectId,
    allowedModels: models === null ? null : (JSON.parse(models) as string[]),
    product,
    keys: Number(keys),
  }));
}

/** The first keys of a project that are on and of one of these kinds, in the order in which they were made. */
export async function keysOfModels(
  db: Kysely<Schema>,
  organizationId: string,
  { projectId, of, now, limit }: KeysOfModelsQuery,
): Promise<{ id: string; name: string }[]> {
  // No line break is in a list that is JSON.
  const kinds = of.map(
    ({ allowedModels, product }) => `${allowedModels === null ? '' : JSON.stringify(allowedModels)}\n${product ?? ''}`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ${table('api_keys')} where ${areOn(organizationId, now)} and project_id = ${projectId}
      and coalesce(allowed_models, '') || ${sql.lit('\n')} || coalesce(product, '') in ${textsOf(kinds)}
    order by created_at, id limit ${limit}
  `.execute(db);
  return rows.map(({ id, name }) => ({ id, name }));
}

function areOn(organizationId: string, now: number): RawBuilder<boolean> {
  return sql<boolean>`organization_id = ${organizationId} and access = 'models' and revoked_at is null
    and disabled_at is null and (expires_at is null or expires_at > ${BigInt(now)})`;
}

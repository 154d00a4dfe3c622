import type { Kysely, Selectable } from 'kysely';
import type { KeyStore } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import type { Schema } from './schema.ts';

/** Keys at rest. Every change to them is counted by a trigger, in the change's own transaction. */
export function createKeyStore(db: Kysely<Schema>): KeyStore {
  return {
    async find(hash) {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
        .selectAll('api_keys')
        .select(['organizations.name as organization_name', 'organizations.created_at as organization_created_at'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined) return null;
      const createdAt = Number(row.organization_created_at);
      return { key: readKey(row), organization: { id: row.organization_id, name: row.organization_name, createdAt } };
    },

    async create(key, hash) {
      await db
        .insertInto('api_keys')
        .values({
          id: key.id,
          organization_id: key.organizationId,
          name: key.name,
          source: key.source,
          hint: key.hint,
          hash,
          created_at: key.createdAt,
          expires_at: key.expiresAt,
          revoked_at: key.revokedAt,
          allowed_models: key.allowedModels === null ? null : JSON.stringify(key.allowedModels),
          requests_per_minute: key.requestsPerMinute,
          tokens_per_minute: key.tokensPerMinute,
          spend_limit_nano: key.spendLimit?.amount ?? null,
          spend_limit_per: key.spendLimit?.per ?? null,
          product: key.product,
          admin: key.admin ? 1 : 0,
        })
        .execute();
    },

    async list(organizationId) {
      let query = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
      return (await query.execute()).map(readKey);
    },

    async revoke(id, at) {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readKey(row);
    },

    async changes() {
      const counter = db.selectFrom('counters').select('value').where('name', '=', 'changes');
      return Number((await counter.executeTakeFirstOrThrow()).value);
    },
  };
}

function readKey(row: Selectable<Schema['api_keys']>): ApiKey {
  const { spend_limit_nano: amount, spend_limit_per: per } = row;
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    source: row.source,
    product: row.product,
    admin: row.admin === 1n,
    hint: row.hint,
    createdAt: Number(row.created_at),
    expiresAt: numberOrNull(row.expires_at),
    revokedAt: numberOrNull(row.revoked_at),
    allowedModels: row.allowed_models === null ? null : (JSON.parse(row.allowed_models) as string[]),
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    tokensPerMinute: numberOrNull(row.tokens_per_minute),
    spendLimit: amount === null || per === null ? null : { amount, per },
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

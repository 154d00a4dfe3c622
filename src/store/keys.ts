import type { Kysely, Selectable } from 'kysely';
import type { Caller, KeyStore } from '../core/ports.ts';
import type { ApiKey, KeyChanges } from '../core/records.ts';
import { keyUse } from './key-use.ts';
import type { Schema } from './schema.ts';

export type KeyLookup = Pick<KeyStore, 'find' | 'list' | 'earlierSecrets' | 'use' | 'changes'>;

/** Looks at keys at rest. */
export function createKeyLookup(db: Kysely<Schema>, catchUp: () => Promise<void>): KeyLookup {
  return {
    async find(hash) {
      const row = await holders(db).where('hash', '=', hash).executeTakeFirst();
      if (row !== undefined) return callerOf(row, null);
      const earlier = await holders(db)
        .innerJoin('earlier_secrets', 'earlier_secrets.key_id', 'api_keys.id')
        .select('ends_at')
        .where('earlier_secrets.hash', '=', hash)
        .executeTakeFirst();
      return earlier === undefined ? null : callerOf(earlier, Number(earlier.ends_at));
    },

    async list(organizationId) {
      let query = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
      if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
      return (await query.execute()).map(readKey);
    },

    async earlierSecrets(id, at) {
      const found = db
        .selectFrom('earlier_secrets')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('key_id', '=', id)
        .where('ends_at', '>', BigInt(at));
      return Number((await found.executeTakeFirstOrThrow()).count);
    },

    async use(day) {
      await catchUp();
      return keyUse(db, day);
    },

    async changes() {
      const counter = db.selectFrom('counters').select('value').where('name', '=', 'changes');
      return Number((await counter.executeTakeFirstOrThrow()).value);
    },
  };
}

/** Changes keys at rest. Every change is counted by a trigger, in its own transaction. */
export function createKeyWriter(db: Kysely<Schema>): Omit<KeyStore, keyof KeyLookup> {
  return {
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
          allowed_models: modelsJson(key.allowedModels),
          requests_per_minute: key.requestsPerMinute,
          tokens_per_minute: key.tokensPerMinute,
          spend_limit_nano: key.spendLimit?.amount ?? null,
          spend_limit_per: key.spendLimit?.per ?? null,
          product: key.product,
          admin: key.admin ? 1 : 0,
          usage_scope: key.usage,
          disabled_at: key.disabledAt,
        })
        .execute();
    },

    async revoke(id, at) {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      return keyOf(db, id);
    },

    async change(id, changes) {
      const columns = columnsOf(changes);
      if (Object.keys(columns).length > 0) {
        await db.updateTable('api_keys').set(columns).where('id', '=', id).execute();
      }
      return keyOf(db, id);
    },

    async rotate(id, { hash, hint }, earlierUntil) {
      // The secret that goes is kept by a trigger.
      await db
        .updateTable('api_keys')
        .set({ hash, hint, earlier_until: BigInt(earlierUntil) })
        .where('id', '=', id)
        .execute();
      return keyOf(db, id);
    },
  };
}

/** Keys with who owns them. */
function holders(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .selectAll('api_keys')
    .select(['organizations.name as organization_name', 'organizations.created_at as organization_created_at']);
}

type HolderRow = Selectable<Schema['api_keys']> & { organization_name: string; organization_created_at: bigint };

/** @param until - when the secret that was shown is accepted no more, where that is sooner than of its key */
function callerOf(row: HolderRow, until: number | null): Caller {
  const key = readKey(row);
  const createdAt = Number(row.organization_created_at);
  const organization = { id: row.organization_id, name: row.organization_name, createdAt };
  if (until === null) return { key, organization };
  return { key: { ...key, expiresAt: Math.min(until, key.expiresAt ?? until) }, organization };
}

async function keyOf(db: Kysely<Schema>, id: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : readKey(row);
}

function columnsOf({ name, expiresAt, disabledAt, allowedModels, spendLimit, ...limits }: KeyChanges) {
  const { requestsPerMinute, tokensPerMinute } = limits;
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(disabledAt !== undefined && { disabled_at: disabledAt }),
    ...(allowedModels !== undefined && { allowed_models: modelsJson(allowedModels) }),
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute: tokensPerMinute }),
    ...(spendLimit !== undefined && {
      spend_limit_nano: spendLimit?.amount ?? null,
      spend_limit_per: spendLimit?.per ?? null,
    }),
  };
}

function modelsJson(models: readonly string[] | null): string | null {
  return models === null ? null : JSON.stringify(models);
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
    usage: row.usage_scope,
    hint: row.hint,
    createdAt: Number(row.created_at),
    expiresAt: numberOrNull(row.expires_at),
    revokedAt: numberOrNull(row.revoked_at),
    disabledAt: numberOrNull(row.disabled_at),
    allowedModels: row.allowed_models === null ? null : (JSON.parse(row.allowed_models) as string[]),
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    tokensPerMinute: numberOrNull(row.tokens_per_minute),
    spendLimit: amount === null || per === null ? null : { amount, per },
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { Audited } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller, KeyStore } from '../core/ports.ts';
import type { ApiKey, KeyChanges } from '../core/records.ts';
import type { KeyChange, KeyRotation } from '../core/settings.ts';
import { isOfAbsent } from './absent-owners.ts';
import { textsOf } from './dialect.ts';
import { storageUnavailable } from './errors.ts';
import { keyUse } from './key-use.ts';
import type { Schema } from './schema.ts';
import { settingsInForce } from './settings-in-force.ts';
import type { Statement, Transact } from './statements.ts';

export type KeyLookup = Pick<
  KeyStore,
  'find' | 'get' | 'named' | 'oldest' | 'list' | 'earlierSecrets' | 'use' | 'changes'
>;

/** Looks at keys at rest. */
export function createKeyLookup(db: Kysely<Schema>, catchUp: () => Promise<void>): KeyLookup {
  const oldestFirst = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
  return {
    async find(hash) {
      const row = await holders(db).where('hash', '=', hash).executeTakeFirst();
      if (row !== undefined) return callerOf(db, row, null);
      const earlier = await holders(db)
        .innerJoin('earlier_secrets', 'earlier_secrets.key_id', 'api_keys.id')
        .select('ends_at')
        .where('earlier_secrets.hash', '=', hash)
        .executeTakeFirst();
      return earlier === undefined ? null : callerOf(db, earlier, Number(earlier.ends_at));
    },

    get: (id) => keyOf(db, id),

    async named(idOrName) {
      const rows = await oldestFirst.where((key) => key.or({ id: idOrName, name: idOrName })).execute();
      return rows.map(readKey);
    },

    async oldest() {
      const row = await oldestFirst.limit(1).executeTakeFirst();
      return row === undefined ? null : readKey(row);
    },

    async list(organizationId, { after, limit }) {
      let rows = oldestFirst.limit(limit);
      if (organizationId !== null) rows = rows.where('organization_id', '=', organizationId);
      if (after !== null) {
        const createdAt = BigInt(after.createdAt);
        rows = rows.where((key) =>
          key.or([
            key('created_at', '>', createdAt),
            key.and([key('created_at', '=', createdAt), key('id', '>', after.id)]),
          ]),
        );
      }
      return (await rows.execute()).map(readKey);
    },

    async earlierSecrets(id, at) {
      return Number((await earlierSecretsOf(db, id, at).executeTakeFirstOrThrow()).count);
    },

    async use(day, of) {
      await catchUp();
      return keyUse(db, day, of);
    },

    async changes() {
      const counter = db.selectFrom('counters').select('value').where('name', '=', 'changes');
      return Number((await counter.executeTakeFirstOrThrow()).value);
    },
  };
}

/** Changes keys at rest. Every change is counted in its own transaction. */
export function createKeyWriter(db: Kysely<Schema>, transact: Transact): Omit<KeyStore, keyof KeyLookup> {
  async function change(id: string, change: KeyChange, audited: Audited | null): Promise<ApiKey | null> {
    const key = await keyOf(db, id);
    if (key === null) return null;
    if ((await transact(keyStatements(db, key.organizationId, change), audited)) !== 'done') {
      throw new GatewayError('conflict', 'The key was changed in the meantime: read it again, and decide anew.');
    }
    return keyOf(db, id);
  }
  return {
    async create(key, hash, audited = null) {
      const made = keyStatements(db, key.organizationId, { addKey: { key, hash } });
      if ((await transact(made, audited)) !== 'done') throw storageUnavailable(new Error(`${key.id} is there already`));
    },
    revoke: (id, at, audited = null) => change(id, { revokeKeys: { of: 'id', id, at } }, audited),
    change: (id, changes, audited = null) => change(id, { changeKey: { id, changes } }, audited),
    rotate: (id, rotation, audited = null) => change(id, { rotateKey: { ...rotation, id } }, audited),

    async noteUse(id, at) {
      const noted = db
        .insertInto('key_use')
        .values({ key_id: id, last_used_at: at })
        .onConflict((known) =>
          known.column('key_id').doUpdateSet({ last_used_at: at }).where('key_use.last_used_at', '<', BigInt(at)),
        );
      await transact([{ query: noted.compile(), mustChange: false }], null);
    },
  };
}

/** A change of keys, as statements of a transaction. */
export function keyStatements(db: Kysely<Schema>, organizationId: string, change: KeyChange): Statement[] {
  if ('rotateKey' in change) return rotation(db, organizationId, change.rotateKey);
  return [keyStatement(db, organizationId, change)];
}

function keyStatement(
  db: Kysely<Schema>,
  organizationId: string,
  change: Exclude<KeyChange, { rotateKey: unknown }>,
): Statement {
  if ('addKey' in change) {
    const { key, hash } = change.addKey;
    const made = db.insertInto('api_keys').values({ ...rowOf(key), organization_id: organizationId, hash });
    return { query: made.compile(), mustChange: true };
  }
  const keys = db.updateTable('api_keys').where('organization_id', '=', organizationId);
  if ('changeKey' in change) {
    const { id, changes, version } = change.changeKey;
    const changed = keys.set(columnsOf(changes)).set(nextVersion).where('id', '=', id);
    const asRead = version === undefined ? changed : changed.where('version', '=', BigInt(version));
    return { query: asRead.compile(), mustChange: true };
  }
  if ('revokeKeysOfAbsent' in change || 'revokeKeysByGroup' in change)
    return endingOfAbsent(db, organizationId, change);
  const { of, id, projectId, at } = change.revokeKeys;
  const column = ({ id: 'id', project: 'project_id', owner: 'owner_id', product: 'product' } as const)[of];
  let revoked = keys.set({ revoked_at: at }).set(nextVersion).where(column, '=', id).where('revoked_at', 'is', null);
  if (projectId !== undefined) revoked = revoked.where('project_id', '=', projectId);
  return { query: revoked.compile(), mustChange: false };
}

/** The secret that goes is kept, with those before it, until they end. */
function rotation(db: Kysely<Schema>, organizationId: string, change: KeyRotation & { id: string }): Statement[] {
  const { id, hash, hint, at, earlierUntil, most } = change;
  // At once is the beginning of time: a clock that is set back must not bring an ended secret back.
  const until = earlierUntil <= at ? 0n : BigInt(earlierUntil);
  const shortened = db
    .updateTable('earlier_secrets')
    .set({ ends_at: until })
    .where('key_id', '=', id)
    .where('ends_at', '>', until)
    .where('key_id', 'in', db.selectFrom('api_keys').select('id').where('organization_id', '=', organizationId));
  const key = db
    .selectFrom('api_keys')
    .select((eb) => ['hash', 'id', eb.val(until).as('ends_at')])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
  // Counted here, since of rotations at once each would have counted before the others.
  const within = earlierUntil <= at ? key : key.where(earlierSecretsOf(db, id, at), '<', BigInt(most));
  const kept = db.insertInto('earlier_secrets').columns(['hash', 'key_id', 'ends_at']).expression(within);
  const rotated = db
    .updateTable('api_keys')
    .set({ hash, hint })
    .set(nextVersion)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
  return [
    { query: shortened.compile(), mustChange: false },
    { query: kept.compile(), mustChange: true },
    { query: rotated.compile(), mustChange: true },
  ];
}

type EndingOfAbsent = Extract<KeyChange, { revokeKeysOfAbsent: unknown } | { revokeKeysByGroup: unknown }>;

function endingOfAbsent(db: Kysely<Schema>, organizationId: string, change: EndingOfAbsent): Statement {
  const settings = db.selectFrom('settings').where('organization_id', '=', organizationId);
  /** By project, too, which is in the index before the owner. */
  const revoked = (at: number) =>
    db
      .updateTable('api_keys')
      .set({ revoked_at: at })
      .set(nextVersion)
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null);
  if ('revokeKeysOfAbsent' in change) {
    const { userId, projectId, at } = change.revokeKeysOfAbsent;
    const projects = settings.where('kind', '=', 'project').select('id');
    const absent = revoked(at)
      .where('project_id', 'in', projectId === undefined ? projects : [projectId])
      .where('owner_id', '=', userId)
      .where(isOfAbsent(null));
    return { query: absent.compile(), mustChange: false };
  }
  const { groupId, userId, projectId, at } = change.revokeKeysByGroup;
  const people = settings.where('kind', '=', 'group_member').where('parent_id', '=', groupId).select('id');
  const projects = settings.where('kind', '=', 'project_group').where('id', '=', groupId).select('parent_id');
  const held = revoked(at)
    .where('project_id', 'in', projectId === undefined ? projects : projects.where('parent_id', '=', projectId))
    .where('owner_id', 'in', userId === undefined ? people : people.where('id', '=', userId))
    .where(isOfAbsent(groupId));
  return { query: held.compile(), mustChange: false };
}

/** How many secrets of a key that were replaced are accepted at a time (Unix ms). */
function earlierSecretsOf(db: Kysely<Schema>, id: string, at: number) {
  return db
    .selectFrom('earlier_secrets')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('key_id', '=', id)
    .where('ends_at', '>', BigInt(at));
}

function nextVersion(eb: ExpressionBuilder<Schema, 'api_keys'>) {
  return { version: eb('version', '+', 1n) };
}

function rowOf(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    source: key.source,
    hint: key.hint,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    allowed_models: listJson(key.allowedModels),
    requests_per_minute: key.requestsPerMinute,
    tokens_per_minute: key.tokensPerMinute,
    spend_limit_nano: key.spendLimit?.amount ?? null,
    spend_limit_per: key.spendLimit?.per ?? null,
    product: key.product,
    admin: key.admin ? 1 : 0,
    usage_scope: key.usage,
    usage_chosen: 1,
    disabled_at: key.disabledAt,
    project_id: key.projectId,
    owner_type: key.owner?.type ?? null,
    owner_id: key.owner?.id ?? null,
    maker_type: key.createdBy?.type ?? null,
    maker_id: key.createdBy === null || key.createdBy.type === 'operator' ? null : key.createdBy.id,
    access: key.access,
    scopes: JSON.stringify(key.scopes),
    ip_ranges: listJson(key.ipRanges),
    version: key.version,
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
async function callerOf(db: Kysely<Schema>, row: HolderRow, until: number | null): Promise<Caller> {
  const kept = readKey(row);
  const createdAt = Number(row.organization_created_at);
  const organization = { id: row.organization_id, name: row.organization_name, createdAt };
  const key = { ...kept, inForce: await settingsInForce(db, organization, kept) };
  if (until === null) return { key, organization };
  return { key: { ...key, expiresAt: Math.min(until, key.expiresAt ?? until) }, organization };
}

/**
 * `null` where there is no such key. One of another organization is not handed out, where one is named: the time of the answer
 * would tell that it is there.
 */
export async function keyOf(db: Kysely<Schema>, id: string, organizationId?: string): Promise<ApiKey | null> {
  const keys = db.selectFrom('api_keys').selectAll().where('id', '=', id);
  const asked = organizationId === undefined ? keys : keys.where('organization_id', '=', organizationId);
  const row = await asked.executeTakeFirst();
  return row === undefined ? null : readKey(row);
}

/** Those of these keys that an organization has, in no order. */
export async function keysOfIds(db: Kysely<Schema>, organizationId: string, ids: readonly string[]): Promise<ApiKey[]> {
  if (ids.length === 0) return [];
  const keys = db.selectFrom('api_keys').selectAll().where('organization_id', '=', organizationId);
  return (await keys.where('id', 'in', textsOf(ids)).execute()).map(readKey);
}

function columnsOf({ name, expiresAt, disabledAt, allowedModels, spendLimit, ...rest }: KeyChanges) {
  const { requestsPerMinute, tokensPerMinute, scopes, ipRanges, admin, usage } = rest;
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(disabledAt !== undefined && { disabled_at: disabledAt }),
    ...(allowedModels !== undefined && { allowed_models: listJson(allowedModels) }),
    ...(admin !== undefined && { admin: admin ? 1 : 0 }),
    ...(usage !== undefined && { usage_scope: usage, usage_chosen: 1 }),
    ...(scopes !== undefined && { scopes: JSON.stringify(scopes) }),
    ...(ipRanges !== undefined && { ip_ranges: listJson(ipRanges) }),
    ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokens_per_minute: tokensPerMinute }),
    ...(spendLimit !== undefined && {
      spend_limit_nano: spendLimit?.amount ?? null,
      spend_limit_per: spendLimit?.per ?? null,
    }),
  };
}

function listJson(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

function listOrNull(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

function makerIn({ maker_type: type, maker_id: id }: Selectable<Schema['api_keys']>): ApiKey['createdBy'] {
  if (type === 'operator') return { type };
  return type === null || id === null ? null : { type, id };
}

export function readKey(row: Selectable<Schema['api_keys']>): ApiKey {
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
    allowedModels: listOrNull(row.allowed_models),
    projectId: row.project_id,
    createdBy: makerIn(row),
    owner: row.owner_type === null || row.owner_id === null ? null : { type: row.owner_type, id: row.owner_id },
    access: row.access,
    scopes: JSON.parse(row.scopes) as string[],
    ipRanges: listOrNull(row.ip_ranges),
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    tokensPerMinute: numberOrNull(row.tokens_per_minute),
    spendLimit: amount === null || per === null ? null : { amount, per },
    version: Number(row.version),
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

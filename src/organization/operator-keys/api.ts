import { z } from 'zod';
import { inSeconds, inSecondsOrNull } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, decimal, flag, seconds, text, unixSeconds, type Written, wholeNumber } from '../../api/schema.ts';
import { organizationRead } from '../../api/usage-scope.ts';
import { dollars, dollarsText } from '../../core/money.ts';
import { type ApiKey, KEY_SOURCES, SPEND_PERIODS } from '../../core/records.ts';
import type { UsedKey } from '../../keys/keys.ts';
import { editFromBody, inMembers, KEY_USAGE, keyLimits, overlapSeconds } from '../api-keys/key-json.ts';
import { replaceSecret, revokeKey, updateKey } from '../api-keys/service.ts';
import { firstOrganization } from '../organizations.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { listProducts } from '../products/service.ts';
import { resource } from '../resource.ts';
import { changeableKey, checkProduct, createKey, keyNamed, listKeys } from './service.ts';

const BASE = '/v1/operator/api_keys';
/** The most keys of one page, so that calls do not wait for it. */
const KEYS_AT_ONCE = 1000;

const keyMembers = {
  id: text,
  object: z.literal('api_key'),
  organization_id: text,
  name: text,
  source: text,
  product: text.nullable(),
  admin: flag,
  owner: z.object({ type: text, id: text }).nullable(),
  created_by: z.object({ type: text, id: text.nullable() }).nullable(),
  usage: KEY_USAGE,
  hint: text,
  created_at: seconds,
  expires_at: seconds.nullable(),
  revoked_at: seconds.nullable(),
  disabled_at: seconds.nullable(),
  allowed_models: z.array(text).nullable(),
  limits: z.object({
    requests_per_minute: count.nullable(),
    tokens_per_minute: count.nullable(),
    spend: z.object({ usd: decimal, usd_decimal: text, per: z.enum(SPEND_PERIODS) }).nullable(),
  }),
};
const apiKey = z.object(keyMembers);
const usedKey = z.object({
  ...keyMembers,
  spent_usd: decimal,
  spent_until: seconds.nullable(),
  last_used_at: seconds.nullable(),
});
const madeKey = z.object({ ...keyMembers, organization_name: text, key: text });

const members = { usage: KEY_USAGE.exactOptional(), ...keyLimits };
const expiresAt = unixSeconds().nullable().exactOptional();

const about = { tag: 'Organization', access: 'operator' } as const;

const LIST_KEYS = operation('listAllApiKeys', `GET ${BASE}`, {
  ...about,
  summary: 'List the keys of all organizations, or of one, oldest first, including revoked ones.',
  query: z.strictObject({ limit: wholeNumber(1, KEYS_AT_ONCE).default(KEYS_AT_ONCE), after: text.exactOptional() }),
  answer: {
    description: 'A page of keys.',
    schema: z.object({
      object: z.literal('list'),
      data: z.array(usedKey),
      has_more: flag,
      next: text.nullable(),
    }),
  },
});

const CREATE_KEY = operation('createApiKey', `POST ${BASE}`, {
  ...about,
  summary: 'Create a key without an owner.',
  body: {
    schema: z.strictObject({
      name: z.string('must be text'),
      project_id: text.exactOptional(),
      source: z.enum(KEY_SOURCES, `must be one of ${KEY_SOURCES.join(', ')}`).exactOptional(),
      product: text.nullable().default(null),
      admin: flag.default(false),
      expires_at: expiresAt,
      ...members,
    }),
  },
  answer: { description: 'The key with its secret.', schema: madeKey },
});

const UPDATE_KEY = operation('updateApiKey', `POST ${BASE}/{api_key}`, {
  ...about,
  summary: 'Change a key, by its id or name.',
  body: {
    schema: z.strictObject({
      name: z.string('must be text').exactOptional(),
      enabled: flag.exactOptional(),
      expires_at: expiresAt,
      ...members,
    }),
  },
  answer: { description: 'The key.', schema: apiKey },
});

const ROTATE_KEY = operation('rotateApiKey', `POST ${BASE}/{api_key}/rotate`, {
  ...about,
  summary: 'Replace the secret of a key, by its id or name.',
  body: { schema: z.strictObject({ overlap_seconds: overlapSeconds }) },
  answer: {
    description: 'The key with its secret.',
    schema: z.object({ ...keyMembers, key: text, earlier_until: seconds }),
  },
});

const REVOKE_KEY = operation('revokeApiKey', `DELETE ${BASE}/{api_key}`, {
  ...about,
  summary: 'Revoke a key, by its id or name.',
  answer: { description: 'The key.', schema: apiKey },
});

/** For the operator alone: keys of all organizations, by id or name. */
export const OPERATOR_KEY_OPERATIONS = resource([
  LIST_KEYS.handledBy(async ({ caller, query: { limit, after } }, { admin }) => {
    const { items, hasMore } = await listKeys(admin, organizationRead(caller), { limit, after });
    return {
      object: 'list',
      data: items.map(usedKeyJson),
      has_more: hasMore,
      next: hasMore ? items.at(-1)!.key.id : null,
    };
  }),
  CREATE_KEY.handledBy(async ({ administrator, caller, body }, parts) => {
    const { project_id: projectId, source, product, admin: isAdmin, expires_at, ...rest } = body;
    const admin = atWork(parts, administrator);
    if (product !== null) checkProduct(await productsOf(parts, admin), product);
    const wanted = {
      ...editFromBody(rest),
      ...{ name: body.name, projectId, product, admin: isAdmin, expiresAt: momentOf(expires_at) ?? null },
      ...(source !== undefined && { source }),
    };
    const { key, secret } = await inMembers(createKey(admin, wanted));
    return { ...keyJson(key), organization_name: caller.organization.name, key: secret };
  }),
  UPDATE_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const { expires_at, ...rest } = body;
    const { admin, found } = await changeableKey(atWork(parts, administrator), path.api_key);
    const expiry = momentOf(expires_at);
    const edit = { ...editFromBody(rest), ...(expiry !== undefined && { expiresAt: expiry }) };
    return keyJson(await inMembers(updateKey(admin, found, edit)));
  }),
  ROTATE_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const { admin, found } = await changeableKey(atWork(parts, administrator), path.api_key);
    const { key, secret, earlierUntil } = await inMembers(replaceSecret(admin, found, body.overlap_seconds * 1000));
    return { ...keyJson(key), key: secret, earlier_until: inSeconds(earlierUntil) };
  }),
  REVOKE_KEY.handledBy(async ({ administrator, path }, parts) => {
    const before = await keyNamed(parts.admin, path.api_key);
    // A key that is revoked already keeps its date.
    if (before.revokedAt !== null) return keyJson(before);
    const { admin, found } = await changeableKey(atWork(parts, administrator), before.id);
    await revokeKey(admin, found);
    return keyJson(await keyNamed(admin, before.id));
  }),
]);

/** Products belong to the first organization. */
async function productsOf({ nameRules, routing }: SettingsParts, admin: ReturnType<typeof atWork>) {
  const { id: organizationId } = firstOrganization(await routing.organizations.list());
  return listProducts({ ...admin, by: { ...admin.by, organizationId } }, nameRules);
}

/** Unix ms. */
function momentOf(unix: number | null | undefined): number | null | undefined {
  return unix == null ? unix : unix * 1000;
}

function keyJson(key: ApiKey): Written<typeof apiKey> {
  const { spendLimit: spend } = key;
  return {
    id: key.id,
    object: 'api_key',
    organization_id: key.organizationId,
    name: key.name,
    source: key.source,
    product: key.product,
    admin: key.admin,
    owner: key.owner,
    created_by: key.createdBy === null ? null : { id: null, ...key.createdBy },
    usage: key.usage,
    hint: key.hint,
    created_at: inSeconds(key.createdAt),
    expires_at: inSecondsOrNull(key.expiresAt),
    revoked_at: inSecondsOrNull(key.revokedAt),
    disabled_at: inSecondsOrNull(key.disabledAt),
    allowed_models: key.allowedModels,
    limits: {
      requests_per_minute: key.requestsPerMinute,
      tokens_per_minute: key.tokensPerMinute,
      spend:
        spend === null ? null : { usd: dollars(spend.amount), usd_decimal: dollarsText(spend.amount), per: spend.per },
    },
  };
}

function usedKeyJson({ key, spent, spentUntil, lastUsedAt }: UsedKey): Written<typeof usedKey> {
  return {
    ...keyJson(key),
    spent_usd: dollars(spent),
    spent_until: inSecondsOrNull(spentUntil),
    last_used_at: inSecondsOrNull(lastUsedAt),
  };
}

import { z } from 'zod';
import {
  created,
  deletedOf,
  expiresAtTime,
  expiresInSeconds,
  expiryIn,
  inSeconds,
  inSecondsOrNull,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, seconds, text } from '../../api/schema.ts';
import { factsOf, type KeyFacts, keyFacts } from '../api-keys/facts.ts';
import { CREATED_BY } from '../api-keys/key-json.ts';
import { createAdminKey, deleteAdminKey, findAdminKey, listAdminKeys } from '../api-keys/service.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';

const adminKey = named(
  'AdminApiKey',
  z.object({
    id: text,
    object: z.literal('organization.admin_api_key'),
    name: text,
    redacted_value: text.describe('The first and last characters of the secret.'),
    created_at: created,
    expires_at: seconds.nullable(),
    last_used_at: seconds.nullable().describe('To the minute; `null` for never.'),
    created_by: CREATED_BY,
    owner: z.object({
      type: text,
      object: text.exactOptional(),
      id: text.exactOptional(),
      name: text.exactOptional(),
      role: text.exactOptional(),
      created_at: seconds.exactOptional(),
    }),
  }),
);

const DELETED = 'organization.admin_api_key.deleted';
const BASE = '/v1/organization/admin_api_keys';

export const LIST_ADMIN_KEYS = operation('listAdminApiKeys', `GET ${BASE}`, {
  tag: 'Organization',
  summary: 'List the admin keys.',
  access: { permission: 'api.admin_keys.read' },
  query: pageQuery(),
  answer: { description: 'A page of keys.', schema: pageOf('AdminApiKeyList', adminKey) },
});

export const CREATE_ADMIN_KEY = operation('createAdminApiKey', `POST ${BASE}`, {
  tag: 'Organization',
  summary: 'Create an admin key. It changes settings and cannot call models.',
  access: { permission: 'api.admin_keys.write', grave: true },
  body: {
    schema: named(
      'AdminApiKeyRequest',
      z.strictObject({ name: nameText, expires_in_seconds: expiresInSeconds, expires_at: expiresAtTime }),
    ),
  },
  answer: {
    description: 'The key.',
    schema: named('NewAdminApiKey', adminKey.extend({ value: text.describe('The secret, shown only here.') })),
  },
});

export const RETRIEVE_ADMIN_KEY = operation('retrieveAdminApiKey', `GET ${BASE}/{key_id}`, {
  tag: 'Organization',
  summary: 'Get an admin key.',
  access: { permission: 'api.admin_keys.read' },
  answer: { description: 'The key.', schema: adminKey },
});

export const DELETE_ADMIN_KEY = operation('deleteAdminApiKey', `DELETE ${BASE}/{key_id}`, {
  tag: 'Organization',
  summary: 'Revoke an admin key permanently.',
  access: { permission: 'api.admin_keys.write', grave: true },
  answer: { description: 'The deleted object.', schema: deletedOf('AdminApiKeyDeleted', DELETED) },
});

export const ADMIN_KEY_OPERATIONS = resource([
  LIST_ADMIN_KEYS.handledBy(async ({ administrator, query }, parts) => {
    const admin = atWork(parts, administrator);
    const { items, hasMore } = await listAdminKeys(admin, query);
    return pageJson({ items: await factsOf(admin, items), hasMore }, adminKeyJson);
  }),
  CREATE_ADMIN_KEY.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { key, secret } = await createAdminKey(admin, {
      name: body.name,
      expiresAt: expiryIn(body, parts.admin.clock.now()),
    });
    return { ...adminKeyJson(await keyFacts(admin, key)), value: secret };
  }),
  RETRIEVE_ADMIN_KEY.handledBy(async ({ administrator, path }, parts) => {
    const admin = atWork(parts, administrator);
    return adminKeyJson(await keyFacts(admin, await findAdminKey(admin, path.key_id)));
  }),
  DELETE_ADMIN_KEY.handledBy(async ({ administrator, path }, parts) => {
    await deleteAdminKey(atWork(parts, administrator), path.key_id);
    return { id: path.key_id, object: DELETED, deleted: true };
  }),
]);

function adminKeyJson({ key, owner, maker, lastUsedAt }: KeyFacts) {
  return {
    id: key.id,
    object: 'organization.admin_api_key' as const,
    name: key.name,
    redacted_value: key.hint,
    created_at: inSeconds(key.createdAt),
    expires_at: inSecondsOrNull(key.expiresAt),
    last_used_at: inSecondsOrNull(lastUsedAt),
    created_by: maker,
    owner:
      owner === null
        ? { type: 'operator' }
        : {
            type: 'user',
            object: 'organization.user',
            id: owner.id,
            name: owner.name,
            role: owner.role,
            created_at: inSeconds(owner.createdAt),
          },
  };
}

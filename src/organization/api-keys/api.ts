import { z } from 'zod';
import {
  created,
  deletedOf,
  endsAt,
  expiresInSeconds,
  idText,
  inSeconds,
  inSecondsOrNull,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
  searchText,
  version,
  writable,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, seconds, text } from '../../api/schema.ts';
import type { KeyOwner } from '../../core/records.ts';
import { invalid } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { type KeyFacts, keyFacts } from './facts.ts';
import {
  CREATED_BY,
  editFromBody,
  inMembers,
  KEY_LIMITS,
  KEY_STATUS,
  KEY_USAGE,
  keyLimits,
  keyStatus,
  limitsJson,
  overlapSeconds,
} from './key-json.ts';
import {
  createProjectKey,
  deleteProjectKey,
  findProjectKey,
  listAllKeys,
  listProjectKeys,
  rotateProjectKey,
  updateProjectKey,
} from './service.ts';

const ownerPerson = z.object({ id: text, email: text.nullable(), name: text, role: text, created_at: seconds });
const ownerAccount = z.object({ id: text, name: text, role: text, created_at: seconds });

const apiKey = named(
  'ProjectApiKey',
  z.object({
    id: text,
    object: z.literal('organization.project.api_key'),
    name: text,
    redacted_value: text.describe('The first and last characters of the secret.'),
    created_at: created,
    expires_at: seconds.nullable(),
    last_used_at: seconds
      .nullable()
      .describe('Last use, for a call, or to the minute for other requests; `null` for never.'),
    owner: z
      .object({
        type: z.enum(['user', 'service_account']).exactOptional(),
        user: ownerPerson.exactOptional(),
        service_account: ownerAccount.exactOptional(),
      })
      .describe('Empty for a key without an owner, such as one that a command created.'),
    owner_project_access: z.enum(['active', 'inactive']).describe('Whether its owner is in the project.'),
    created_by: CREATED_BY,
    scopes: z.array(text),
    usage: KEY_USAGE,
    status: KEY_STATUS,
    product: text.nullable().describe('The product it belongs to; usually `null`.'),
    version,
    ...KEY_LIMITS,
  }),
);

const newApiKey = named('NewProjectApiKey', apiKey.extend({ value: text.describe('The secret, shown only here.') }));

const DELETED = 'organization.project.api_key.deleted';
const BASE = '/v1/organization/projects/{project_id}/api_keys';

const scopes = z.array(idText, 'must be a list').describe('Empty for everything. Stored and returned.');

/** The further permissions depend on the owner of the key. */
const NOT_OWN =
  'A key of somebody else also needs `api.members.write`, a product’s key `api.products.write`, an admin key an owner.';

const bodies = writable(
  'ProjectApiKey',
  { name: nameText, scopes: scopes.exactOptional(), usage: KEY_USAGE.exactOptional(), ...keyLimits },
  {
    create: {
      user_id: idText
        .nullable()
        .exactOptional()
        .describe(
          'Owner of the key (default: the caller, signed in or by key). `null`: no ' +
            'owner, as for keys created by such a key. Anything but yourself needs `api.members.write`.',
        ),
      service_account_id: idText
        .exactOptional()
        .describe('The service account that owns the key, instead of a person. Needs `api.members.write`.'),
      expires_in_seconds: expiresInSeconds,
    },
    update: {
      expires_in_seconds: expiresInSeconds.describe('`null` for no expiry.'),
      enabled: flag.exactOptional().describe('Whether it is enabled.'),
    },
  },
);

export const LIST_PROJECT_API_KEYS = operation('listProjectApiKeys', `GET ${BASE}`, {
  client: 'settings.projects.apiKeys.list',
  tag: 'Organization',
  summary: 'List the keys of a project with their use.',
  access: { permission: 'api.keys.read' },
  query: pageQuery().extend({
    owner_project_access: z
      .enum(['active', 'inactive', 'any'], 'must be active, inactive or any')
      .default('any')
      .describe('Keys of owners who are in the project, of others, or all.'),
  }),
  answer: { description: 'A page of keys.', schema: pageOf('ProjectApiKeyList', apiKey) },
});

/** A page has as many keys as a console shows at once. */
const ALL_KEYS = { limit: 100, max: 500 };

export const LIST_API_KEYS = operation('listApiKeys', 'GET /v1/organization/api_keys', {
  client: 'settings.projects.apiKeys.listAll',
  tag: 'Organization',
  summary:
    'List the keys of all projects, or of the projects that the caller may read. Archived projects are left out.',
  description: 'Not in OpenAI’s API.',
  access: { permission: 'api.keys.read', somewhere: true },
  query: pageQuery(ALL_KEYS).extend({
    search: searchText
      .exactOptional()
      .describe('Only keys with this in their name or id, best match first: up to `limit`, in one page.'),
  }),
  answer: {
    description: 'A page of keys.',
    schema: pageOf('ApiKeyList', named('PlacedApiKey', apiKey.extend({ project: z.object({ id: text, name: text }) }))),
  },
});

export const CREATE_PROJECT_API_KEY = operation('createProjectApiKey', `POST ${BASE}`, {
  client: 'settings.projects.apiKeys.create',
  tag: 'Organization',
  summary: 'Create a key in a project: for yourself, another person, a service account, or nobody.',
  description: 'Not in OpenAI’s API.',
  access: { permission: 'api.keys.write' },
  body: {
    schema: bodies.create,
  },
  answer: { description: 'The key.', schema: newApiKey },
});

export const RETRIEVE_PROJECT_API_KEY = operation('retrieveProjectApiKey', `GET ${BASE}/{api_key_id}`, {
  client: 'settings.projects.apiKeys.retrieve',
  tag: 'Organization',
  summary: 'Get a key.',
  access: { permission: 'api.keys.read' },
  answer: { description: 'The key.', schema: apiKey },
});

export const UPDATE_PROJECT_API_KEY = operation('updateProjectApiKey', `POST ${BASE}/{api_key_id}`, {
  client: 'settings.projects.apiKeys.update',
  tag: 'Organization',
  summary: 'Change a key. Members that are left out stay. The change is in force everywhere within a second.',
  description: NOT_OWN,
  access: { permission: 'api.keys.write' },
  body: {
    schema: bodies.update,
  },
  answer: { description: 'The key.', schema: apiKey },
  errors: ['conflict'],
});

export const ROTATE_PROJECT_API_KEY = operation('rotateProjectApiKey', `POST ${BASE}/{api_key_id}/rotate`, {
  client: 'settings.projects.apiKeys.rotate',
  tag: 'Organization',
  summary: 'Replace the secret of a key. The old secret stays valid for a while.',
  description:
    `${NOT_OWN} ` +
    'If the key reads more usage than the person who gets the secret, its scope is reduced to theirs; `usage` in the ' +
    'answer shows it. Your own key keeps its scope.',
  access: { permission: 'api.keys.write' },
  body: {
    schema: named(
      'RotateRequest',
      z.strictObject({
        overlap_seconds: overlapSeconds,
      }),
    ),
  },
  answer: {
    description: 'The key.',
    schema: named('RotatedApiKey', newApiKey.extend({ earlier_secret_until: seconds })),
  },
  errors: ['conflict'],
});

export const DELETE_PROJECT_API_KEY = operation('deleteProjectApiKey', `DELETE ${BASE}/{api_key_id}`, {
  client: 'settings.projects.apiKeys.delete',
  tag: 'Organization',
  summary: 'Revoke a key permanently.',
  description: NOT_OWN,
  access: { permission: 'api.keys.write' },
  answer: { description: 'The deleted object.', schema: deletedOf('ProjectApiKeyDeleted', DELETED) },
});

export const API_KEY_OPERATIONS = resource([
  LIST_PROJECT_API_KEYS.handledBy(async ({ administrator, path, query }, parts) => {
    const admin = atWork(parts, administrator);
    const { owner_project_access: wanted, ...page } = query;
    const facts = await listProjectKeys(admin, path.project_id, { ...page, wanted });
    return pageJson(facts, apiKeyJson);
  }),
  LIST_API_KEYS.handledBy(async ({ administrator, query }, parts) => {
    const keys = await listAllKeys(atWork(parts, administrator), query);
    return pageJson(keys, ({ project, ...facts }) => ({ ...apiKeyJson(facts), project }));
  }),
  CREATE_PROJECT_API_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { name, user_id: user, service_account_id: account, expires_in_seconds: expiresIn, ...limits } = body;
    const owner = ownerInBody({ user, account });
    const wanted = { ...editFromBody(limits), name, owner, expiresAt: endsAt(parts.admin.clock.now(), expiresIn) };
    const { key, secret } = await inMembers(createProjectKey(admin, path.project_id, wanted));
    return { ...apiKeyJson(await keyFacts(admin, key)), value: secret };
  }),
  RETRIEVE_PROJECT_API_KEY.handledBy(async ({ administrator, path }, parts) => {
    const admin = atWork(parts, administrator);
    return apiKeyJson(await keyFacts(admin, await findProjectKey(admin, path.project_id, path.api_key_id)));
  }),
  UPDATE_PROJECT_API_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { expires_in_seconds: expiresIn, if_version: ifVersion, ...rest } = body;
    const edit = {
      ...editFromBody(rest),
      ...(expiresIn !== undefined && { expiresAt: endsAt(parts.admin.clock.now(), expiresIn) }),
    };
    const which = { projectId: path.project_id, id: path.api_key_id, ifVersion };
    return apiKeyJson(await keyFacts(admin, await inMembers(updateProjectKey(admin, which, edit))));
  }),
  ROTATE_PROJECT_API_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const which = { projectId: path.project_id, id: path.api_key_id };
    const rotating = rotateProjectKey(admin, which, body.overlap_seconds * 1000);
    const { key, secret, earlierUntil } = await inMembers(rotating);
    return { ...apiKeyJson(await keyFacts(admin, key)), value: secret, earlier_secret_until: inSeconds(earlierUntil) };
  }),
  DELETE_PROJECT_API_KEY.handledBy(async ({ administrator, path }, parts) => {
    const id = path.api_key_id;
    await deleteProjectKey(atWork(parts, administrator), path.project_id, id);
    return { id, object: DELETED, deleted: true };
  }),
]);

/** `undefined` if it was left out. */
function ownerInBody({
  user,
  account,
}: {
  user: string | null | undefined;
  account: string | undefined;
}): KeyOwner | null | undefined {
  if (account === undefined) return user ? { type: 'user', id: user } : user === undefined ? undefined : null;
  if (user) throw invalid('service_account_id', 'cannot be combined with `user_id`, because a key has one owner');
  return { type: 'service_account', id: account };
}

function apiKeyJson({ key, owner, isOwnerHere, maker, lastUsedAt, spent, spentUntil, now }: KeyFacts) {
  return {
    id: key.id,
    object: 'organization.project.api_key' as const,
    name: key.name,
    redacted_value: key.hint,
    created_at: inSeconds(key.createdAt),
    expires_at: inSecondsOrNull(key.expiresAt),
    last_used_at: inSecondsOrNull(lastUsedAt),
    owner: owner === null ? {} : ownerJson(owner),
    owner_project_access: isOwnerHere ? ('active' as const) : ('inactive' as const),
    created_by: maker,
    scopes: key.scopes,
    usage: key.usage,
    status: keyStatus(key, now),
    product: key.product,
    version: key.version,
    ...limitsJson(key, { spent, spentUntil }),
  };
}

function ownerJson(owner: NonNullable<KeyFacts['owner']>) {
  const { id, name, role } = owner;
  const created_at = inSeconds(owner.createdAt);
  return owner.type === 'user'
    ? { type: 'user' as const, user: { id, email: owner.email, name, role, created_at } }
    : { type: 'service_account' as const, service_account: { id, name, role, created_at } };
}

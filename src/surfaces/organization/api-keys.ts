import { z } from 'zod';
import { invalid } from '../../admin/administration.ts';
import {
  createProjectKey,
  deleteProjectKey,
  findProjectKey,
  listAllKeys,
  listProjectKeys,
  rotateProjectKey,
  updateProjectKey,
} from '../../admin/api-keys.ts';
import { type KeyFacts, keyFacts } from '../../admin/key-facts.ts';
import type { KeyOwner } from '../../core/records.ts';
import { type HttpApi, operation } from '../operation.ts';
import { flag, named, seconds, text } from '../schema.ts';
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
} from './key-limits.ts';
import {
  atWork,
  created,
  deletedOf,
  endsAt,
  expiresInSeconds,
  idText,
  ifVersion,
  inSeconds,
  inSecondsOrNull,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
  type SettingsParts,
  searchText,
  version,
} from './shared.ts';

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
      .describe('When it was last used for a call, or, to the minute, for something else; `null`: never.'),
    owner: z
      .object({
        type: z.enum(['user', 'service_account']).exactOptional(),
        user: ownerPerson.exactOptional(),
        service_account: ownerAccount.exactOptional(),
      })
      .describe('Empty for a key that belongs to nobody in particular, such as one that the command made.'),
    owner_project_access: z.enum(['active', 'inactive']).describe('Whether its owner is in the project.'),
    created_by: CREATED_BY,
    scopes: z.array(text),
    usage: KEY_USAGE,
    status: KEY_STATUS,
    product: text.nullable().describe('The product that it is of; `null` for most.'),
    version,
    ...KEY_LIMITS,
  }),
);

const newApiKey = named('NewProjectApiKey', apiKey.extend({ value: text.describe('The secret, told this once.') }));

const DELETED = 'organization.project.api_key.deleted';
const BASE = '/v1/organization/projects/{project_id}/api_keys';

const scopes = z.array(idText, 'must be a list').describe('None: everything. Kept and given back.');

/** What is done to a key asks for more than the operation says, by whose key it is. */
const NOT_OWN =
  'A key that is not your own needs `api.members.write`, too; a product’s `api.products.write`; one that administers is for owners.';

export const LIST_PROJECT_API_KEYS = operation('listProjectApiKeys', `GET ${BASE}`, {
  tag: 'Organization',
  summary: 'List the keys of a project, with what they have used.',
  access: { permission: 'api.keys.read' },
  query: pageQuery().extend({
    owner_project_access: z
      .enum(['active', 'inactive', 'any'], 'must be active, inactive or any')
      .default('any')
      .describe('Keys of owners who are in the project, of others, or all.'),
  }),
  answer: { description: 'A page of keys.', schema: pageOf('ProjectApiKeyList', apiKey) },
});

/** A page of all keys has as many as a console shows at once. */
const ALL_KEYS = { limit: 100, max: 500 };

export const LIST_API_KEYS = operation('listApiKeys', 'GET /v1/organization/api_keys', {
  tag: 'Organization',
  summary:
    'List the keys of all projects, each with its project; for whoever may see some projects alone, of these. Those of archived ones are left out.',
  description: 'OpenAI’s API has no such operation.',
  access: { permission: 'api.keys.read', somewhere: true },
  query: pageQuery(ALL_KEYS).extend({
    search: searchText
      .exactOptional()
      .describe('Only those with this in their name or id, the best first: `limit` of them, and no further page.'),
  }),
  answer: {
    description: 'A page of keys.',
    schema: pageOf('ApiKeyList', named('PlacedApiKey', apiKey.extend({ project: z.object({ id: text, name: text }) }))),
  },
});

export const CREATE_PROJECT_API_KEY = operation('createProjectApiKey', `POST ${BASE}`, {
  tag: 'Organization',
  summary: 'Make a key in a project: for yourself, another person, a service account, or nobody in particular.',
  description: 'OpenAI’s API has no such operation.',
  access: { permission: 'api.keys.write' },
  body: {
    schema: named(
      'ProjectApiKeyRequest',
      z.strictObject({
        name: nameText,
        user_id: idText
          .nullable()
          .exactOptional()
          .describe(
            'The person whose key it is. Left out: the one who asks, signed in or by a key of theirs. `null`: nobody in ' +
              'particular, as what a key of nobody makes is by itself. For all but oneself this needs `api.members.write`.',
          ),
        service_account_id: idText
          .exactOptional()
          .describe('The service account whose key it is, in the place of a person. This needs `api.members.write`.'),
        expires_in_seconds: expiresInSeconds,
        scopes: scopes.exactOptional(),
        usage: KEY_USAGE.exactOptional(),
        ...keyLimits,
      }),
    ),
  },
  answer: { description: 'The key.', schema: newApiKey },
});

export const RETRIEVE_PROJECT_API_KEY = operation('retrieveProjectApiKey', `GET ${BASE}/{api_key_id}`, {
  tag: 'Organization',
  summary: 'Show a key.',
  access: { permission: 'api.keys.read' },
  answer: { description: 'The key.', schema: apiKey },
});

export const UPDATE_PROJECT_API_KEY = operation('updateProjectApiKey', `POST ${BASE}/{api_key_id}`, {
  tag: 'Organization',
  summary: 'Change a key. What is not named stays; every process goes by it within a second.',
  description: NOT_OWN,
  access: { permission: 'api.keys.write' },
  body: {
    schema: named(
      'ProjectApiKeyUpdate',
      z.strictObject({
        name: nameText.exactOptional(),
        expires_in_seconds: expiresInSeconds.describe('`null`: it has no end.'),
        scopes: scopes.exactOptional(),
        usage: KEY_USAGE.exactOptional(),
        enabled: flag.exactOptional().describe('Whether it is on.'),
        if_version: ifVersion,
        ...keyLimits,
      }),
    ),
  },
  answer: { description: 'The key.', schema: apiKey },
  errors: ['conflict'],
});

export const ROTATE_PROJECT_API_KEY = operation('rotateProjectApiKey', `POST ${BASE}/{api_key_id}/rotate`, {
  tag: 'Organization',
  summary: 'Give a key another secret. The one that it has goes on for a while.',
  description:
    `${NOT_OWN} ` +
    'A key that reads more usage than whoever is told the secret may read reads as much as they may from then on: `usage` of the ' +
    'answer says what. One’s own key stays as it is.',
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
  tag: 'Organization',
  summary: 'Revoke a key, for good.',
  description: NOT_OWN,
  access: { permission: 'api.keys.write' },
  answer: { description: 'What was deleted.', schema: deletedOf('ProjectApiKeyDeleted', DELETED) },
});

export const API_KEY_OPERATIONS = [
  LIST_PROJECT_API_KEYS,
  LIST_API_KEYS,
  CREATE_PROJECT_API_KEY,
  RETRIEVE_PROJECT_API_KEY,
  UPDATE_PROJECT_API_KEY,
  ROTATE_PROJECT_API_KEY,
  DELETE_PROJECT_API_KEY,
];

export function serveApiKeys(served: HttpApi, parts: SettingsParts): void {
  const { clock } = parts.admin;
  LIST_PROJECT_API_KEYS.serve(served, async ({ administrator, path, query }) => {
    const admin = atWork(parts, administrator);
    const { owner_project_access: wanted, ...page } = query;
    const facts = await listProjectKeys(admin, path.project_id, { ...page, wanted });
    return pageJson(facts, apiKeyJson);
  });
  LIST_API_KEYS.serve(served, async ({ administrator, query }) => {
    const keys = await listAllKeys(atWork(parts, administrator), query);
    return pageJson(keys, ({ project, ...facts }) => ({ ...apiKeyJson(facts), project }));
  });
  CREATE_PROJECT_API_KEY.serve(served, async ({ administrator, path, body }) => {
    const admin = atWork(parts, administrator);
    const { name, user_id: user, service_account_id: account, expires_in_seconds: expiresIn, ...limits } = body;
    const owner = ownerInBody({ user, account });
    const wanted = { ...editFromBody(limits), name, owner, expiresAt: endsAt(clock.now(), expiresIn) };
    const { key, secret } = await inMembers(createProjectKey(admin, path.project_id, wanted));
    return { ...apiKeyJson(await keyFacts(admin, key)), value: secret };
  });
  RETRIEVE_PROJECT_API_KEY.serve(served, async ({ administrator, path }) => {
    const admin = atWork(parts, administrator);
    return apiKeyJson(await keyFacts(admin, await findProjectKey(admin, path.project_id, path.api_key_id)));
  });
  UPDATE_PROJECT_API_KEY.serve(served, async ({ administrator, path, body }) => {
    const admin = atWork(parts, administrator);
    const { expires_in_seconds: expiresIn, if_version: ifVersion, ...rest } = body;
    const edit = {
      ...editFromBody(rest),
      ...(expiresIn !== undefined && { expiresAt: endsAt(clock.now(), expiresIn) }),
    };
    const which = { projectId: path.project_id, id: path.api_key_id, ifVersion };
    return apiKeyJson(await keyFacts(admin, await inMembers(updateProjectKey(admin, which, edit))));
  });
  ROTATE_PROJECT_API_KEY.serve(served, async ({ administrator, path, body }) => {
    const admin = atWork(parts, administrator);
    const which = { projectId: path.project_id, id: path.api_key_id };
    const rotating = rotateProjectKey(admin, which, body.overlap_seconds * 1000);
    const { key, secret, earlierUntil } = await inMembers(rotating);
    return { ...apiKeyJson(await keyFacts(admin, key)), value: secret, earlier_secret_until: inSeconds(earlierUntil) };
  });
  DELETE_PROJECT_API_KEY.serve(served, async ({ administrator, path }) => {
    const id = path.api_key_id;
    await deleteProjectKey(atWork(parts, administrator), path.project_id, id);
    return { id, object: DELETED, deleted: true };
  });
}

/** `undefined`: nothing is said of it. */
function ownerInBody({
  user,
  account,
}: {
  user: string | null | undefined;
  account: string | undefined;
}): KeyOwner | null | undefined {
  if (account === undefined) return user ? { type: 'user', id: user } : user === undefined ? undefined : null;
  if (user) throw invalid('service_account_id', 'cannot be given beside `user_id`: a key has one owner');
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

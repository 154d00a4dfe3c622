import { z } from 'zod';
import {
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
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, seconds, text } from '../../api/schema.ts';
import type { Setting } from '../../core/settings.ts';
import { KEY_USAGE } from '../api-keys/key-json.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  createAccountKey,
  createServiceAccount,
  deleteServiceAccount,
  findServiceAccount,
  listServiceAccounts,
  type NewSecret,
  updateServiceAccount,
} from './service.ts';

const ROLES = ['owner', 'member', 'none'] as const;

const account = named(
  'ServiceAccount',
  z.object({
    id: text,
    object: z.literal('organization.project.service_account'),
    name: text,
    role: z.enum(ROLES),
    created_at: created,
    version,
  }),
);

const newKey = named(
  'ServiceAccountKey',
  z.object({
    id: text,
    object: z.literal('organization.project.service_account.api_key'),
    name: text,
    value: text.describe('The secret, shown only here.'),
    created_at: created,
    expires_at: seconds.nullable(),
    usage: KEY_USAGE,
  }),
);

const DELETED = 'organization.project.service_account.deleted';
const BASE = '/v1/organization/projects/{project_id}/service_accounts';

export const LIST_SERVICE_ACCOUNTS = operation('listServiceAccounts', `GET ${BASE}`, {
  tag: 'Organization',
  summary: 'List the service accounts of a project.',
  access: { permission: 'api.service_accounts.read' },
  query: pageQuery(),
  answer: { description: 'A page of service accounts.', schema: pageOf('ServiceAccountList', account) },
});

export const CREATE_SERVICE_ACCOUNT = operation('createServiceAccount', `POST ${BASE}`, {
  tag: 'Organization',
  summary: 'Create a service account and a key for it.',
  description: 'The key needs `api.members.write` in the project. Without it, use `create_service_account_only`.',
  access: { permission: 'api.service_accounts.write' },
  body: {
    schema: named(
      'ServiceAccountRequest',
      z.strictObject({
        name: nameText,
        create_service_account_only: flag.nullish().describe('Creates no key.'),
        expires_in_seconds: expiresInSeconds,
        usage: KEY_USAGE.exactOptional(),
      }),
    ),
  },
  answer: {
    description: 'The service account.',
    schema: named('NewServiceAccount', account.extend({ api_key: newKey.nullable() })),
  },
});

export const RETRIEVE_SERVICE_ACCOUNT = operation('retrieveServiceAccount', `GET ${BASE}/{service_account_id}`, {
  tag: 'Organization',
  summary: 'Get a service account.',
  access: { permission: 'api.service_accounts.read' },
  answer: { description: 'The service account.', schema: account },
});

export const UPDATE_SERVICE_ACCOUNT = operation('updateServiceAccount', `POST ${BASE}/{service_account_id}`, {
  tag: 'Organization',
  summary: 'Change a service account.',
  access: { permission: 'api.service_accounts.write' },
  body: {
    schema: named(
      'ServiceAccountUpdate',
      z.strictObject({
        name: nameText.exactOptional(),
        role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`).exactOptional(),
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The service account.', schema: account },
});

export const DELETE_SERVICE_ACCOUNT = operation('deleteServiceAccount', `DELETE ${BASE}/{service_account_id}`, {
  tag: 'Organization',
  summary: 'Delete a service account. Its keys are refused from then on.',
  description: 'This also needs `api.members.write` in the project.',
  access: { permission: 'api.service_accounts.write' },
  answer: { description: 'The deleted object.', schema: deletedOf('ServiceAccountDeleted', DELETED) },
});

export const CREATE_SERVICE_ACCOUNT_KEY = operation(
  'createServiceAccountKey',
  `POST ${BASE}/{service_account_id}/api_keys`,
  {
    tag: 'Organization',
    summary: 'Create another key for a service account.',
    description: 'This also needs `api.members.write` in the project.',
    access: { permission: 'api.keys.write' },
    body: {
      schema: named(
        'ServiceAccountKeyRequest',
        z.strictObject({
          name: nameText.exactOptional(),
          expires_in_seconds: expiresInSeconds,
          scopes: z.array(idText, 'must be a list').exactOptional(),
          usage: KEY_USAGE.exactOptional(),
        }),
      ),
    },
    answer: { description: 'The key.', schema: newKey },
  },
);

export const SERVICE_ACCOUNT_OPERATIONS = resource([
  LIST_SERVICE_ACCOUNTS.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listServiceAccounts(atWork(parts, administrator), path.project_id, query), accountJson),
  ),
  CREATE_SERVICE_ACCOUNT.handledBy(async ({ administrator, path, body }, parts) => {
    const { name, create_service_account_only: only, expires_in_seconds: expiresIn, ...wanted } = body;
    const withKey = only === true ? null : { ...wanted, expiresAt: endsAt(parts.admin.clock.now(), expiresIn) };
    const { account: made, made: key } = await createServiceAccount(atWork(parts, administrator), path.project_id, {
      name,
      withKey,
    });
    return { ...accountJson(made), api_key: key === null ? null : newKeyJson(key) };
  }),
  RETRIEVE_SERVICE_ACCOUNT.handledBy(async ({ administrator, path }, parts) =>
    accountJson(await findServiceAccount(atWork(parts, administrator), path.project_id, path.service_account_id)),
  ),
  UPDATE_SERVICE_ACCOUNT.handledBy(async ({ administrator, path, body: { if_version: wanted, ...edit } }, parts) => {
    const which = { projectId: path.project_id, id: path.service_account_id, ifVersion: wanted };
    return accountJson(await updateServiceAccount(atWork(parts, administrator), which, edit));
  }),
  DELETE_SERVICE_ACCOUNT.handledBy(async ({ administrator, path }, parts) => {
    const id = path.service_account_id;
    await deleteServiceAccount(atWork(parts, administrator), path.project_id, id);
    return { id, object: DELETED, deleted: true };
  }),
  CREATE_SERVICE_ACCOUNT_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const which = { projectId: path.project_id, id: path.service_account_id };
    const { expires_in_seconds: expiresIn, ...wanted } = body;
    const expiresAt = endsAt(parts.admin.clock.now(), expiresIn);
    return newKeyJson(await createAccountKey(atWork(parts, administrator), which, { ...wanted, expiresAt }));
  }),
]);

function accountJson({ id, createdAt, value, version: current }: Setting<'service_account'>) {
  return {
    id,
    object: 'organization.project.service_account' as const,
    name: value.name,
    role: value.role,
    created_at: inSeconds(createdAt),
    version: current,
  };
}

function newKeyJson({ key, secret }: NewSecret) {
  return {
    id: key.id,
    object: 'organization.project.service_account.api_key' as const,
    name: key.name,
    value: secret,
    created_at: inSeconds(key.createdAt),
    expires_at: inSecondsOrNull(key.expiresAt),
    usage: key.usage,
  };
}

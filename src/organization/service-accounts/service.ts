import type { ApiKey, UsageScope } from '../../core/records.ts';
import type { Page, PageQuery, ServiceAccount, Setting } from '../../core/settings.ts';
import { hashKey } from '../../keys/format.ts';
import { keyNameAfter } from '../../keys/keys.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  made,
  put,
  removed,
  unchanged,
} from '../administration.ts';
import { demandMayManageKey, type KeyInQuestion, newKeyBy } from '../api-keys/owners.ts';
import { usageFor } from '../permissions.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';

/** A new key with its secret, which is shown only once. */
export type NewSecret = { key: ApiKey; secret: string };

/** The facts of a service account's key; `expiresAt` in Unix ms. */
export type NewAccountKey = {
  name?: string;
  expiresAt: number | null;
  scopes?: readonly string[];
  usage?: UsageScope;
};

/**
 * Creates a service account with its first key, or without one if `withKey` is `null`. Throws `forbidden` for the key
 * as `demandMayManageKey` does, because it outlives its creator.
 */
export async function createServiceAccount(
  admin: Administration,
  projectId: string,
  { name, withKey }: { name: string; withKey: NewAccountKey | null },
): Promise<{ account: Setting<'service_account'>; made: NewSecret | null }> {
  const project = await openProject(admin, projectId);
  const account = made(admin, 'service_account', {
    prefix: 'svc_acct',
    parentId: projectId,
    value: { name, role: 'member' },
  });
  const first = withKey === null ? null : keyOf(admin, account, withKey);
  if (first !== null) demandMayManageKey(admin.by, first.key, 'create_service_account_only');
  const keys = first === null ? [] : [adding(admin, first)];
  await change(admin, [put(account), ...keys, unchanged(project)], {
    type: 'service_account.created',
    resourceId: account.id,
    project: nameOf(project),
    details: { data: { role: account.value.role }, name, api_key_id: first?.key.id ?? null },
    firstKey: first?.key,
  });
  return { account, made: first };
}

export async function listServiceAccounts(
  admin: Administration,
  projectId: string,
  query: PageQuery,
): Promise<Page<Setting<'service_account'>>> {
  await findProject(admin, projectId);
  return admin.settings.list(admin.by.organizationId, 'service_account', { ...query, parentId: projectId });
}

export function findServiceAccount(
  admin: Administration,
  projectId: string,
  id: string,
): Promise<Setting<'service_account'>> {
  return found(admin, 'service_account', id, projectId);
}

export async function updateServiceAccount(
  admin: Administration,
  { projectId, id, ifVersion }: { projectId: string; id: string; ifVersion?: number | undefined },
  edit: Partial<ServiceAccount>,
): Promise<Setting<'service_account'>> {
  const project = await openProject(admin, projectId);
  const account = await findServiceAccount(admin, projectId, id);
  demandVersion(account, ifVersion);
  const next = changed(account, edit);
  await change(admin, [put(next)], {
    type: 'service_account.updated',
    resourceId: id,
    project: nameOf(project),
    details: { changes_requested: edit, before: account.value },
  });
  return next;
}

/** Deletes a service account and revokes its keys. Throws `forbidden` for callers who may not revoke these. */
export async function deleteServiceAccount(admin: Administration, projectId: string, id: string): Promise<void> {
  const project = await findProject(admin, projectId);
  const account = await findServiceAccount(admin, projectId, id);
  // Checked even without keys: one that is created at this moment would end with it.
  demandMayManageKey(admin.by, keysOf(account));
  const at = admin.clock.now();
  await change(admin, [removed(account), { revokeKeys: { of: 'owner', id, projectId, at } }], {
    type: 'service_account.deleted',
    resourceId: id,
    project: nameOf(project),
    details: { before: account.value },
  });
}

/** Throws `forbidden` as `demandMayManageKey` does. */
export async function createAccountKey(
  admin: Administration,
  { projectId, id }: { projectId: string; id: string },
  wanted: NewAccountKey,
): Promise<NewSecret> {
  const project = await openProject(admin, projectId);
  const account = await findServiceAccount(admin, projectId, id);
  demandMayManageKey(admin.by, keysOf(account));
  const next = keyOf(admin, account, wanted);
  // No key must outlive a project or account that is archived or deleted at the same time.
  await change(admin, [adding(admin, next), unchanged(project), unchanged(account)], {
    type: 'api_key.created',
    resourceId: next.key.id,
    project: nameOf(project),
    details: { data: { scopes: next.key.scopes }, name: next.key.name, service_account_id: id },
  });
  return next;
}

function keysOf({ id }: Setting<'service_account'>): KeyInQuestion {
  return { owner: { type: 'service_account', id }, product: null, admin: false, access: 'models' };
}

function keyOf(admin: Administration, account: Setting<'service_account'>, wanted: NewAccountKey): NewSecret {
  const { name = keyNameAfter(account.value.name), expiresAt, scopes = [], usage } = wanted;
  return newKeyBy(admin, {
    projectId: account.parentId!,
    owner: { type: 'service_account', id: account.id },
    name,
    expiresAt,
    scopes: [...scopes],
    usage: usageFor(admin.by, account.parentId, usage),
  });
}

/** The change that stores a new key. */
export function adding({ pepper }: Pick<Administration, 'pepper'>, { key, secret }: NewSecret) {
  return { addKey: { key, hash: hashKey(secret, pepper) } };
}

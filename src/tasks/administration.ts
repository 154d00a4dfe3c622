import { type Administration, type AdminParts, adminPartsOf, audited } from '../admin/administration.ts';
import { ensureOrganizations, firstOrganization } from '../admin/organizations.ts';
import { nameOf } from '../admin/projects.ts';
import { PERMISSIONS } from '../core/permissions.ts';
import type { ApiKey } from '../core/records.ts';
import { type KeyAudit, type KeyParts, namedBefore } from '../keys/keys.ts';
import { findOrganization } from './organizations.ts';
import type { TaskServices } from './task.ts';

/** The operator of the machine at work in an organization: the one that is named, else the first. They may do everything. */
export async function operatorAtWork(
  { storage, keyParts, config }: TaskServices,
  organizationId: string | null,
): Promise<Administration> {
  const parts = adminPartsOf(await keyParts(), storage);
  const { clock, ids } = parts;
  const organizations = await ensureOrganizations({ store: storage.organizations, clock, ids }, config.organizations);
  const { id } =
    organizationId === null ? firstOrganization(organizations) : findOrganization(organizations, organizationId);
  return asOperator(parts, id);
}

function asOperator(parts: AdminParts, organizationId: string): Administration {
  const by = { organizationId, actor: { type: 'operator' }, permissions: new Set(PERMISSIONS), request: null } as const;
  return { ...parts, by };
}

/** The parts that a key is changed with, so that the audit log tells of it, and of its project. */
export async function auditedKeys(
  keys: KeyParts,
  storage: TaskServices['storage'],
  { organizationId, projectId }: Pick<ApiKey, 'organizationId' | 'projectId'>,
): Promise<KeyParts> {
  const admin = asOperator(adminPartsOf(keys, storage), organizationId);
  const project = projectId === null ? null : await storage.settings.find(organizationId, 'project', projectId);
  const audit: KeyAudit = (type, key: ApiKey, changes) =>
    audited(admin, {
      type,
      resourceId: key.id,
      project: project && nameOf(project),
      details: toldOfKey(key, told(type, key, changes)),
    });
  return { ...keys, audit };
}

/** What the audit log is told of a key. */
export function toldOfKey({ name }: ApiKey, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ name, ...details }, withoutBigInts));
}

/** What was asked for; of what was there before, what is to be another. */
function told(type: string, key: ApiKey, changes: Readonly<Record<string, unknown>>) {
  if (type !== 'api_key.updated') return { changes_requested: changes };
  return { changes_requested: changes, before: namedBefore(key, changes) };
}

/** JSON has no whole numbers of the size of amounts. */
function withoutBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

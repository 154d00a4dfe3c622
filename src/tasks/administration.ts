import { PERMISSIONS } from '../core/permissions.ts';
import type { ApiKey } from '../core/records.ts';
import { type KeyAudit, type KeyParts, namedBefore } from '../keys/keys.ts';
import { type Administration, type AdminParts, adminPartsOf, audited } from '../organization/administration.ts';
import { ensureOrganizations, firstOrganization } from '../organization/organizations.ts';
import { nameOf } from '../organization/projects/service.ts';
import { findOrganization } from './organizations.ts';
import type { TaskServices } from './task.ts';

/** The services of the operator for one organization: the named one, or the first. The operator has all permissions. */
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

/** What changing a key needs to write the audit log: the services and the key's project. */
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

/** The details of a key for the audit log. */
export function toldOfKey({ name }: ApiKey, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ name, ...details }, withoutBigInts));
}

/** The requested changes, and the previous values of the same members. */
function told(type: string, key: ApiKey, changes: Readonly<Record<string, unknown>>) {
  if (type !== 'api_key.updated') return { changes_requested: changes };
  return { changes_requested: changes, before: namedBefore(key, changes) };
}

/** JSON numbers are too small for amounts in nano-dollars. */
function withoutBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

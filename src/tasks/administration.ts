import { PERMISSIONS } from '../core/permissions.ts';
import { type Administration, type AdminParts, adminPartsOf } from '../organization/administration.ts';
import { ensureOrganizations, firstOrganization } from '../organization/organizations.ts';
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

import type { FindCaller } from '../api/operation.ts';
import type { Administrator } from '../core/administrator.ts';
import { GatewayError } from '../core/errors.ts';
import { PERMISSIONS } from '../core/permissions.ts';
import type { Caller, OrganizationStore } from '../core/ports.ts';
import { NO_KEY, type Organization } from '../core/records.ts';
import { firstOrganization } from './organizations.ts';

/** Finds that every request is the operator's: for `OperatorApp`, which takes none from a network. */
export function operatorFinder(organizations: Pick<OrganizationStore, 'list'>): FindCaller {
  return async ({ operator }, access) => {
    if (access === 'storeless') return { administrator: null, caller: null };
    // The operator may call every operation, and is a caller wherever one is wanted.
    return operatorIn(organizations, operator?.organizationId ?? null);
  };
}

/**
 * The operator as an administrator with all permissions, and as a caller who sees everything.
 *
 * @param organizationId - `null` for the first; as a caller the operator then reads the calls of all
 * @throws `not_found` with a list of the organizations
 */
async function operatorIn(
  organizations: Pick<OrganizationStore, 'list'>,
  organizationId: string | null,
): Promise<{ administrator: Administrator; caller: Caller }> {
  const all = await organizations.list();
  const organization = organizationId === null ? firstOrganization(all) : findOrganization(all, organizationId);
  const { id } = organization;
  const key = { ...NO_KEY, id: 'operator', organizationId: id, name: 'operator', admin: true };
  return {
    administrator: {
      organizationId: id,
      actor: { type: 'operator' },
      permissions: new Set(PERMISSIONS),
      request: null,
    },
    caller: { key, organization, operator: { readsAll: organizationId === null } },
  };
}

/** Throws `not_found` with a list of the organizations. */
export function findOrganization(organizations: readonly Organization[], id: string): Organization {
  const found = organizations.find((organization) => organization.id === id);
  if (found !== undefined) return found;
  const known = organizations.map((each) => `${each.id} (${each.name})`).join(', ');
  throw new GatewayError(
    'not_found',
    `There is no organization ${id}. Organizations: ${known === '' ? 'none yet' : known}.`,
  );
}

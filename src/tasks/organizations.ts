import { GatewayError } from '../core/errors.ts';
import type { Storage } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';

/** Rejects with `not_found` if the named organization does not exist. */
export async function checkOrganization({ organizations }: Storage, id: string | null): Promise<void> {
  if (id !== null) findOrganization(await organizations.list(), id);
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

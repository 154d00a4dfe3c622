import { GatewayError } from '../core/errors.ts';
import type { Storage } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';

/** Rejects with `not_found` where an organization is named and is not there. */
export async function checkOrganization({ organizations }: Storage, id: string | null): Promise<void> {
  if (id !== null) findOrganization(await organizations.list(), id);
}

/** Throws `not_found`, with those there are. */
export function findOrganization(organizations: readonly Organization[], id: string): Organization {
  const found = organizations.find((organization) => organization.id === id);
  if (found !== undefined) return found;
  const known = organizations.map((each) => `${each.id} (${each.name})`).join(', ');
  throw new GatewayError(
    'not_found',
    `There is no organization ${id}. There is: ${known === '' ? 'none yet' : known}.`,
  );
}

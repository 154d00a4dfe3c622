import { GatewayError } from '../core/errors.ts';
import type { Clock, Ids, OrganizationStore } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';

/** The name of the organization that is made where the configuration names none. */
const DEFAULT_NAME = 'Default';

export type OrganizationParts = { store: OrganizationStore; clock: Clock; ids: Ids };
export type WantedOrganization = { id: string; name: string };

/**
 * Makes the wanted organizations (the config's) that are missing; a store that would stay empty gets a first one.
 * Returns all there are, at least one, oldest first. Those that are there already stay as they are.
 */
export async function ensureOrganizations(
  parts: OrganizationParts,
  wanted: readonly WantedOrganization[],
): Promise<Organization[]> {
  const existing = await parts.store.list();
  const known = new Set(existing.map((organization) => organization.id));
  const isFirst = existing.length === 0 && wanted.length === 0;
  const missing = isFirst
    ? [{ id: parts.ids.organizationId(), name: DEFAULT_NAME }]
    : wanted.filter(({ id }) => !known.has(id));

  const createdAt = parts.clock.now();
  const created = missing.map(({ id, name }) => ({ id, name, createdAt }));
  for (const organization of created) await parts.store.create(organization);
  return [...existing, ...created].sort(byAge);
}

/** The oldest organization: the one a key belongs to where none is named. */
export function firstOrganization(organizations: readonly Organization[]): Organization {
  const [first] = organizations.toSorted(byAge);
  if (first === undefined) throw new Error('There is no organization.');
  return first;
}

/** The id decides between those made in one go, so that the order is the same at every start. */
function byAge(one: Organization, other: Organization): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

type AtWork = { organizations: Pick<OrganizationStore, 'list'>; by: { organizationId: string } };

/** Whether somebody is in the first organization, which is that of whoever runs the gateway. */
export async function isInFirstOrganization({ organizations, by }: AtWork): Promise<boolean> {
  return firstOrganization(await organizations.list()).id === by.organizationId;
}

/**
 * Routes, and whatever else is the gateway's own, are administered in its first organization. Throws `forbidden` in any other.
 */
export async function demandFirstOrganization(atWork: AtWork): Promise<void> {
  if (await isInFirstOrganization(atWork)) return;
  throw new GatewayError(
    'forbidden',
    'This is the gateway’s own, for all organizations on it: it is set up in its first organization alone.',
  );
}

import { GatewayError } from '../core/errors.ts';
import type { Clock, Ids, OrganizationStore } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';

/** The name of the first organization if the configuration names none. */
const DEFAULT_NAME = 'Default';

export type OrganizationParts = { store: OrganizationStore; clock: Clock; ids: Ids };
export type WantedOrganization = { id: string; name: string };

/**
 * Creates missing organizations of the configuration, and a first one in an empty store. Existing ones stay. Returns
 * all of them, at least one, oldest first.
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

/** The oldest organization, the default owner of keys. */
export function firstOrganization(organizations: readonly Organization[]): Organization {
  const [first] = organizations.toSorted(byAge);
  if (first === undefined) throw new Error('There is no organization.');
  return first;
}

/** The id orders organizations that were created together, so that the order is stable. */
function byAge(one: Organization, other: Organization): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

type AtWork = { organizations: Pick<OrganizationStore, 'list'>; by: { organizationId: string } };

/** Whether an administrator is in the first organization, the operator's. */
export async function isInFirstOrganization({ organizations, by }: AtWork): Promise<boolean> {
  return firstOrganization(await organizations.list()).id === by.organizationId;
}

/** Routes and other gateway-wide settings are managed in its first organization. Throws `forbidden` in others. */
export async function demandFirstOrganization(atWork: AtWork): Promise<void> {
  if (await isInFirstOrganization(atWork)) return;
  throw new GatewayError(
    'forbidden',
    'This setting applies to the whole gateway. Only its first organization can change it.',
  );
}

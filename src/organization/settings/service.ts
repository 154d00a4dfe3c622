import { GatewayError } from '../../core/errors.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { Organization } from '../../core/records.ts';
import { type Administration, change, changed, demandVersion, invalid, made, put } from '../administration.ts';
import { placeText, type SetIn } from '../beside-file.ts';

/** An administrator of their own organization. `nameSetIn`: where the file sets its name; `null` if it does not. */
export type OrganizationAdministration = Administration & {
  organizations: Pick<OrganizationStore, 'list'>;
  nameSetIn(organizationId: string): SetIn | null;
};

/** An organization and the version of its name, starting with 1. */
export type OwnOrganization = { organization: Organization; version: number; setIn: SetIn | null };

export async function findOwnOrganization(admin: OrganizationAdministration): Promise<OwnOrganization> {
  const { organizations, settings, by, nameSetIn } = admin;
  const organization = (await organizations.list()).find(({ id }) => id === by.organizationId);
  if (organization === undefined) throw new GatewayError('not_found', 'There is no organization with this id.');
  const renamed = await settings.find(by.organizationId, 'organization', 'organization');
  return { organization, version: (renamed?.version ?? 0) + 1, setIn: nameSetIn(organization.id) };
}

/** Renames the organization. Throws `invalid_request` if the configuration sets its name. */
export async function renameOrganization(
  admin: OrganizationAdministration,
  name: string,
  ifVersion?: number,
): Promise<OwnOrganization> {
  const own = await findOwnOrganization(admin);
  const { organization, version, setIn } = own;
  const { id, name: before } = organization;
  demandVersion(own, ifVersion);
  if (name === before) return own;
  if (setIn !== null) throw invalid('name', `is set in ${placeText(setIn)} and can be changed only there`);
  const named = await admin.settings.find(id, 'organization', 'organization');
  const setting =
    named === null ? made(admin, 'organization', { id: 'organization', value: { name } }) : changed(named, { name });
  await change(admin, [put(setting), { renameOrganization: { name, before } }], {
    type: 'organization.updated',
    resourceId: id,
    details: { changes_requested: { name }, before: { name: before } },
  });
  return { organization: { ...organization, name }, version: version + 1, setIn };
}

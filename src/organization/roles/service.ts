import { GatewayError } from '../../core/errors.ts';
import { type Permission, PREDEFINED_ROLES } from '../../core/permissions.ts';
import { assigneeOf, type Page, type PageQuery, type Setting, type SettingChange } from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  made,
  noSuch,
  put,
  removed,
} from '../administration.ts';
import { roleOf, type ShownRole } from '../permissions.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';

export type NewRole = { name: string; description: string | null; permissions: readonly Permission[] };

/** The place of a role: the organization (`null`) or a project. */
type RolePlace = string | null;

/** Throws `forbidden` if it has a permission that the administrator does not have. */
export async function createRole(admin: Administration, wanted: NewRole, projectId: RolePlace): Promise<ShownRole> {
  const project = projectId === null ? null : nameOf(await openProject(admin, projectId));
  const resourceType = projectId === null ? 'api.organization' : 'api.project';
  const role = made(admin, 'role', { prefix: 'role', parentId: projectId, value: { ...wanted, resourceType } });
  await change(admin, [put(role)], {
    type: 'role.created',
    resourceId: role.id,
    project,
    details: {
      role_name: wanted.name,
      permissions: wanted.permissions,
      resource_type: resourceType,
      resource_id: projectId ?? admin.by.organizationId,
    },
  });
  return shown(role);
}

/** Predefined roles, then those of the organization or project. */
export async function listRoles(
  admin: Administration,
  { limit, after, order = 'asc' }: PageQuery,
  projectId: RolePlace,
): Promise<Page<ShownRole>> {
  if (projectId !== null) await findProject(admin, projectId);
  const resourceType = projectId === null ? 'api.organization' : 'api.project';
  const predefined = [...PREDEFINED_ROLES]
    .filter(([, role]) => role.resourceType === resourceType)
    .map(([id, role]) => ({ id, role, setting: null }));
  const own = await admin.settings.all(admin.by.organizationId, 'role', { parentId: projectId ?? '' });
  const ordered: ShownRole[] = [...predefined, ...own.map(shown)];
  if (order === 'desc') ordered.reverse();
  // Even if the previous one was deleted.
  const isBehind = ({ id }: ShownRole) =>
    after === undefined || (order === 'asc' ? placeOf(id) > placeOf(after) : placeOf(id) < placeOf(after));
  const rest = ordered.filter(isBehind);
  return { items: rest.slice(0, limit), hasMore: rest.length > limit };
}

/** The sort order of roles: predefined ones first, in the order of their table. */
function placeOf(id: string): string {
  const index = [...PREDEFINED_ROLES.keys()].indexOf(id);
  return index < 0 ? `own ${id}` : `every ${index}`;
}

/** Throws `not_found`. */
export async function findRole(admin: Administration, id: string, projectId: RolePlace): Promise<ShownRole> {
  if (projectId !== null) await findProject(admin, projectId);
  const role = PREDEFINED_ROLES.get(id);
  const isOfHere = role !== undefined && (role.resourceType === 'api.project') === (projectId !== null);
  return isOfHere ? { id, role, setting: null } : shown(await found(admin, 'role', id, projectId));
}

/** Throws `forbidden` if it has, or would get, a permission that the administrator does not have. */
export async function updateRole(
  admin: Administration,
  at: { id: string; projectId: RolePlace },
  edit: Partial<NewRole>,
  ifVersion?: number,
): Promise<ShownRole> {
  const { project, role } = await ownRole(admin, at);
  demandVersion(role, ifVersion);
  const next = changed(role, edit);
  const { name, description, permissions } = role.value;
  await change(admin, [put(next), ...(edit.permissions === undefined ? [] : await renewalOf(admin, role.id))], {
    type: 'role.updated',
    resourceId: role.id,
    project,
    details: {
      changes_requested: { role_name: edit.name, description: edit.description, permissions: edit.permissions },
      before: { role_name: name, description, permissions },
    },
  });
  return shown(next);
}

/** Removes the role from everybody. Throws `forbidden` if it has a permission that the administrator does not have. */
export async function deleteRole(admin: Administration, at: { id: string; projectId: RolePlace }): Promise<void> {
  const { project, role } = await ownRole(admin, at);
  const changes: SettingChange[] = [removed(role), { removeEvery: { kind: 'role_assignment', id: role.id } }];
  await change(admin, [...(await renewalOf(admin, role.id)), ...changes], {
    type: 'role.deleted',
    resourceId: role.id,
    project,
    details: { before: { role_name: role.value.name, permissions: role.value.permissions } },
  });
}

/** Changed permissions renew the sessions of everybody with the role. */
async function renewalOf({ settings, by }: Administration, roleId: string): Promise<SettingChange[]> {
  const given = await settings.all(by.organizationId, 'role_assignment', { id: roleId });
  const holders = Map.groupBy(
    given.map(({ parentId }) => assigneeOf(parentId!)),
    ({ type, id }) => `${type}:${id}`,
  );
  return [...holders.values()].map(([first]) => {
    const { type, id } = first!;
    return { renewSessions: type === 'user' ? { userId: id } : { groupId: id } };
  });
}

async function ownRole(admin: Administration, { id, projectId }: { id: string; projectId: RolePlace }) {
  const { setting } = await findRole(admin, id, projectId);
  if (setting === null) throw new GatewayError('conflict', 'This role is predefined and cannot be changed.');
  return { role: setting, project: projectId === null ? null : nameOf(await openProject(admin, projectId)) };
}

/** A role that can be assigned in the organization or in a project. Throws `not_found`. */
export async function givableRole(
  { settings, by }: Administration,
  id: string,
  projectId: RolePlace,
): Promise<ShownRole> {
  const role = await roleOf(settings, by.organizationId, { id, projectId });
  if (role === null || (projectId === null && role.role.resourceType === 'api.project')) return noSuch('role');
  return role;
}

function shown(setting: Setting<'role'>): ShownRole {
  return { id: setting.id, role: setting.value, setting };
}

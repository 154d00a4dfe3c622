import type { Administrator } from '../core/administrator.ts';
import type { Actor } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import {
  type OrganizationRole,
  PERMISSIONS,
  type Permission,
  PREDEFINED_ROLES,
  ROLES_IN_PROJECTS,
} from '../core/permissions.ts';
import { type ApiKey, narrowerScope, type UsageScope } from '../core/records.ts';
import { type Assignee, assigneeId, type Setting } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import { projectsGivenTo } from './projects/places.ts';

/** A person in an organization. */
export type OrganizationMember = { organizationId: string; userId: string };

/** What is read to find permissions. */
export type PermissionSource = Pick<SettingsStore, 'find' | 'all'>;

/**
 * A member as an administrator with their present permissions, in the organization and in the project of the request.
 * It is read at each request, so that removed permissions end at once. Throws `forbidden` if they are not a member.
 *
 * @param actor - the actor for the audit log, if it is a key of the person
 */
export async function administratorFor(
  settings: PermissionSource,
  member: OrganizationMember,
  { projectId, request, actor }: { projectId: string | null; request: Administrator['request']; actor?: Actor },
): Promise<Administrator> {
  const { organizationId, userId } = member;
  const found = await settings.find(organizationId, 'member', userId);
  if (found === null) throw new GatewayError('forbidden', 'You are not a member of this organization.');
  const { email, role } = found.value;
  const by = { organizationId, actor: actor ?? ({ type: 'session', userId, email } as const), request };
  if (role === 'owner') return { ...by, permissions: new Set(PERMISSIONS) };

  const holders = await holdersOf(settings, member);
  const given = (where: string | null) =>
    Promise.all(holders.map((holder) => rolesGiven(settings, organizationId, { ...holder, projectId: where })));
  const permissions = permissionsOf((await given(null)).flat());
  if (projectId === null) return { ...by, permissions };
  const inProject = await settings.find(organizationId, 'project_member', userId, projectId);
  const roles = inProject === null ? [] : [PREDEFINED_ROLES.get(ROLES_IN_PROJECTS[inProject.value.role])!];
  const there = permissionsOf([...roles, ...(await given(projectId)).flat()]);
  return { ...by, permissions, project: { id: projectId, permissions: new Set([...permissions, ...there]) } };
}

/** A project, and the permissions there beyond those in the organization. */
export type ProjectPermissions = { id: string; permissions: readonly Permission[] };

/** The projects in which a member has further permissions, directly or by a group. */
export async function permissionsInProjects(
  settings: PermissionSource,
  member: OrganizationMember,
): Promise<ProjectPermissions[]> {
  const { organizationId, userId } = member;
  const everywhere = await administratorFor(settings, member, { projectId: null, request: null });
  if (everywhere.permissions.size === PERMISSIONS.length) return [];
  const ids = await projectsGivenTo(settings, member);
  if (ids.length === 0) return [];
  const holders = await holdersOf(settings, member);
  const [own, given] = await Promise.all([
    settings.all(organizationId, 'project_member', { id: userId }),
    rolesGivenIn(settings, organizationId, { holders, ids }),
  ]);
  const places = new Map(own.map(({ parentId, value }) => [parentId!, ROLES_IN_PROJECTS[value.role]]));
  const there = ids.map((id) => {
    const place = places.get(id);
    const roles = [...(place === undefined ? [] : [PREDEFINED_ROLES.get(place)!]), ...(given.get(id) ?? [])];
    return { id, permissions: [...permissionsOf(roles)].filter((each) => !everywhere.permissions.has(each)) };
  });
  return there.filter(({ permissions }) => permissions.length > 0);
}

type RoleHolder = Omit<Assignee, 'projectId'>;

/** The holders of a person's roles: the person and their groups. */
async function holdersOf(
  settings: PermissionSource,
  { organizationId, userId }: OrganizationMember,
): Promise<RoleHolder[]> {
  const groups = await settings.all(organizationId, 'group_member', { id: userId });
  return [{ type: 'user', id: userId }, ...groups.map(({ parentId }) => ({ type: 'group' as const, id: parentId! }))];
}

/** The roles of holders in projects, by project, as `roleOf` finds them. */
async function rolesGivenIn(
  settings: PermissionSource,
  organizationId: string,
  { holders, ids }: { holders: readonly RoleHolder[]; ids: readonly string[] },
): Promise<Map<string, OrganizationRole[]>> {
  const projects = new Map(
    ids.flatMap((projectId) => holders.map((holder) => [assigneeId({ ...holder, projectId }), projectId])),
  );
  const given = await settings.all(organizationId, 'role_assignment', { parentIds: [...projects.keys()] });
  const made = new Set(given.map(({ id }) => id).filter((id) => !PREDEFINED_ROLES.has(id)));
  const own = made.size === 0 ? [] : await settings.all(organizationId, 'role', { ids: [...made] });
  const roles = new Map(own.map((role) => [`${role.parentId ?? ''} ${role.id}`, role.value]));
  const byProject = new Map<string, OrganizationRole[]>();
  for (const { id, parentId } of given) {
    const projectId = projects.get(parentId!)!;
    const role = PREDEFINED_ROLES.get(id) ?? roles.get(` ${id}`) ?? roles.get(`${projectId} ${id}`);
    if (role !== undefined) byProject.set(projectId, [...(byProject.get(projectId) ?? []), role]);
  }
  return byProject;
}

/** The roles assigned to a person or group, in the organization or one project. */
async function rolesGiven(
  settings: PermissionSource,
  organizationId: string,
  to: Assignee,
): Promise<OrganizationRole[]> {
  const given = await settings.all(organizationId, 'role_assignment', { parentId: assigneeId(to) });
  const roles = await Promise.all(
    given.map(({ id }) => roleOf(settings, organizationId, { id, projectId: to.projectId })),
  );
  return roles.flatMap((found) => (found === null ? [] : [found.role]));
}

/** A role and its setting; `null` for a predefined role. */
export type ShownRole = { id: string; role: OrganizationRole; setting: Setting<'role'> | null };

/** A predefined role, or one of the organization or project. `null` if there is none. */
export async function roleOf(
  settings: PermissionSource,
  organizationId: string,
  { id, projectId }: { id: string; projectId: string | null },
): Promise<ShownRole | null> {
  const predefined = PREDEFINED_ROLES.get(id);
  if (predefined !== undefined) return { id, role: predefined, setting: null };
  const setting =
    (await settings.find(organizationId, 'role', id)) ??
    (projectId === null ? null : await settings.find(organizationId, 'role', id, projectId));
  return setting === null ? null : { id, role: setting.value, setting };
}

function permissionsOf(roles: readonly OrganizationRole[]): Set<Permission> {
  return new Set(roles.flatMap(({ permissions }) => permissions));
}

/** Where an administrator has a permission: in these projects, `{}` for everywhere, `null` for nowhere. */
export async function whereMay(
  by: Administrator,
  permission: Permission,
): Promise<{ ofProjects?: ReadonlySet<string> } | null> {
  if (by.permissions.has(permission)) return {};
  const there = (await by.inProjects?.()) ?? [];
  const ids = there.filter((each) => each.permissions.includes(permission)).map(({ id }) => id);
  return ids.length === 0 ? null : { ofProjects: new Set(ids) };
}

/** Throws `forbidden` if an administrator has a permission neither in the organization nor in the named project. */
export function demandPermission({ permissions, project }: Administrator, permission: Permission): void {
  if (permissions.has(permission) || project?.permissions.has(permission)) return;
  throw new GatewayError('forbidden', `This needs the permission \`${permission}\`.`);
}

/**
 * Nobody can give what they do not have: throws `forbidden` if the administrator lacks one of the permissions there.
 */
export function demandMayGive(
  { permissions, project }: Administrator,
  given: readonly Permission[],
  projectId: string | null,
): void {
  const own = project !== undefined && project.id === projectId ? project.permissions : permissions;
  const missing = given.find((permission) => !own.has(permission));
  if (missing === undefined) return;
  throw new GatewayError('forbidden', `You cannot give or take away \`${missing}\`, because you do not have it.`);
}

/** Whether somebody has all permissions in the organization. */
export function isOwner({ permissions }: Administrator): boolean {
  return PERMISSIONS.every((permission) => permissions.has(permission));
}

/** Only owners can make or unmake owners. */
export function demandOwner(by: Administrator): void {
  if (isOwner(by)) return;
  throw new GatewayError('forbidden', 'Only an owner can make or change owners.');
}

/** The widest usage scope that an administrator can give to a key in a project. */
export function usageReach({ permissions, project }: Administrator, projectId: string | null): UsageScope {
  if (permissions.has('api.usage.read')) return 'organization';
  return project?.id === projectId && project?.permissions.has('api.usage.read') ? 'project' : 'own';
}

/** Throws `forbidden` if a key would read more usage than the administrator who creates or changes it. */
export function demandMayReadUsage(by: Administrator, projectId: string | null, wanted: UsageScope): void {
  const reach = usageReach(by, projectId);
  if (narrowerScope(reach, wanted) === wanted) return;
  const why = `\`usage\` can be at most \`${reach}\`, the scope of the person who creates or changes the key.`;
  throw new GatewayError('forbidden', why, { param: 'usage' });
}

/**
 * The usage scope of a new key. An administrator who may not read all usage gives only a key's own calls by default.
 * Throws as `demandMayReadUsage` does.
 */
export function usageFor(by: Administrator, projectId: string | null, wanted?: UsageScope): UsageScope {
  if (wanted === undefined) return usageReach(by, projectId) === 'organization' ? 'organization' : 'own';
  demandMayReadUsage(by, projectId, wanted);
  return wanted;
}

/**
 * The administrator behind a key with their present permissions: a person's key has at most the person's, one without
 * owner has all, and none reads more usage than its scope. The validity of the key is not checked. Throws `forbidden`
 * if it is not an admin key, or its person is not a member.
 */
export async function administratorByKey(
  settings: PermissionSource,
  key: ApiKey,
  asked: { projectId: string | null; request: Administrator['request'] },
): Promise<Administrator> {
  if (key.access !== 'administration' && !key.admin) {
    throw new GatewayError(
      'forbidden',
      'This key is for model calls. Organization settings need an admin key: ' +
        '`headgate admin-keys create` creates one.',
    );
  }
  const { organizationId } = key;
  const { projectId, request } = asked;
  const userId = key.owner?.type === 'user' ? key.owner.id : null;
  const actor = { type: 'api_key', keyId: key.id, userId } as const;
  if (userId !== null)
    return withinUsage(await administratorFor(settings, { organizationId, userId }, { ...asked, actor }), key);
  const all = new Set(PERMISSIONS);
  const project = projectId === null ? {} : { project: { id: projectId, permissions: all } };
  return withinUsage({ organizationId, actor, permissions: all, ...project, request }, key);
}

/** An administrator by key, without the permission to read usage beyond the key's scope. */
function withinUsage(by: Administrator, { usage, projectId }: Pick<ApiKey, 'usage' | 'projectId'>): Administrator {
  if (usage === 'organization') return by;
  const { project } = by;
  const without = (all: ReadonlySet<Permission>) => new Set([...all].filter((each) => each !== 'api.usage.read'));
  const permissions = without(by.permissions);
  if (project === undefined) return { ...by, permissions };
  const isThere = usage === 'project' && project.id === projectId;
  const there = isThere ? project.permissions : without(project.permissions);
  return { ...by, permissions, project: { id: project.id, permissions: there } };
}

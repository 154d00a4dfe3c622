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
import type { Administrator } from './administration.ts';
import { projectsGivenTo } from './project-places.ts';

/** A person in an organization. */
export type OrganizationMember = { organizationId: string; userId: string };

/** What is read to tell what somebody may. */
export type PermissionSource = Pick<SettingsStore, 'find' | 'all'>;

/**
 * A member as an administrator, with what they may now: in the organization, and in the project that a request names. It is
 * asked for at each request, so that what was taken from somebody is gone at once. Throws `forbidden` where they are no member.
 *
 * @param actor - who the audit log names, where it is not the person themselves: a key of theirs
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

/** A project, and what somebody may there beyond what they may in the whole organization. */
export type ProjectPermissions = { id: string; permissions: readonly Permission[] };

/**
 * The projects in which a member may more than in the organization: by a place of their own, or of a group that they are in. What
 * they may in all of them is read at once.
 */
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

/** Whose roles a person has: their own, and those of the groups that they are in. */
async function holdersOf(
  settings: PermissionSource,
  { organizationId, userId }: OrganizationMember,
): Promise<RoleHolder[]> {
  const groups = await settings.all(organizationId, 'group_member', { id: userId });
  return [{ type: 'user', id: userId }, ...groups.map(({ parentId }) => ({ type: 'group' as const, id: parentId! }))];
}

/** The roles that were given to some holders in projects, by project: of each as `roleOf` finds it. */
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

/** The roles that were given to a person or a group, in the organization or in one project. */
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

/** A role and how it is kept; of one that every organization has, `setting` is `null`. */
export type ShownRole = { id: string; role: OrganizationRole; setting: Setting<'role'> | null };

/** A predefined role, one of the organization, or one of a project. `null` where there is none. */
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

/**
 * Where an administrator of whom no permission was asked may do something: in these projects alone, with `{}` everywhere;
 * `null`: nowhere.
 */
export async function whereMay(
  by: Administrator,
  permission: Permission,
): Promise<{ ofProjects?: ReadonlySet<string> } | null> {
  if (by.permissions.has(permission)) return {};
  const there = (await by.inProjects?.()) ?? [];
  const ids = there.filter((each) => each.permissions.includes(permission)).map(({ id }) => id);
  return ids.length === 0 ? null : { ofProjects: new Set(ids) };
}

/** Throws `forbidden` where an administrator may not do something in the organization, nor in the project that is named. */
export function demandPermission({ permissions, project }: Administrator, permission: Permission): void {
  if (permissions.has(permission) || project?.permissions.has(permission)) return;
  throw new GatewayError('forbidden', `This needs the permission \`${permission}\`.`);
}

/** Nobody gives what they do not have: throws `forbidden` where one of the permissions is not the administrator's own there. */
export function demandMayGive(
  { permissions, project }: Administrator,
  given: readonly Permission[],
  projectId: string | null,
): void {
  const own = project !== undefined && project.id === projectId ? project.permissions : permissions;
  const missing = given.find((permission) => !own.has(permission));
  if (missing === undefined) return;
  throw new GatewayError(
    'forbidden',
    `You cannot give or take away \`${missing}\`, since you do not have it yourself.`,
  );
}

/** Whether somebody may do everything in the organization. */
export function isOwner({ permissions }: Administrator): boolean {
  return PERMISSIONS.every((permission) => permissions.has(permission));
}

/** Only an owner makes owners, and only an owner takes that from one. */
export function demandOwner(by: Administrator): void {
  if (isOwner(by)) return;
  throw new GatewayError('forbidden', 'Only an owner makes or changes owners.');
}

/** The most usage that an administrator may read by a key in a project: the organization's, the project's, or the key's own. */
export function usageReach({ permissions, project }: Administrator, projectId: string | null): UsageScope {
  if (permissions.has('api.usage.read')) return 'organization';
  return project?.id === projectId && project?.permissions.has('api.usage.read') ? 'project' : 'own';
}

/** Throws `forbidden` where a key would read more usage than the administrator who makes or changes it may. */
export function demandMayReadUsage(by: Administrator, projectId: string | null, wanted: UsageScope): void {
  const reach = usageReach(by, projectId);
  if (narrowerScope(reach, wanted) === wanted) return;
  const why = `\`usage\` can be at most \`${reach}\`: a key reads no more usage than who makes or changes it.`;
  throw new GatewayError('forbidden', why, { param: 'usage' });
}

/**
 * What usage a key reads that an administrator makes in a project. Nobody who may not read all of it gives more than a key's own
 * calls unless they ask for it. Throws as `demandMayReadUsage` does.
 */
export function usageFor(by: Administrator, projectId: string | null, wanted?: UsageScope): UsageScope {
  if (wanted === undefined) return usageReach(by, projectId) === 'organization' ? 'organization' : 'own';
  demandMayReadUsage(by, projectId, wanted);
  return wanted;
}

/**
 * Who administers by a key, with what they may now: a person's key no more than the person; one that is nobody's all; and none
 * reads more usage than it was given. Whether the key works is not asked. Throws `forbidden` where it does not administer, or its
 * person is no member.
 */
export async function administratorByKey(
  settings: PermissionSource,
  key: ApiKey,
  asked: { projectId: string | null; request: Administrator['request'] },
): Promise<Administrator> {
  if (key.access !== 'administration' && !key.admin) {
    throw new GatewayError(
      'forbidden',
      'Organization settings are for keys of administration, and this key calls models: ' +
        '`headgate admin-keys create` makes one.',
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

/** An administrator who asks by a key: without the permission to read usage wherever the key does not read it. */
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

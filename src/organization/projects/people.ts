import { ROLES_IN_PROJECTS } from '../../core/permissions.ts';
import {
  assigneeId,
  type Page,
  type PageQuery,
  PROJECT_ROLES,
  type ProjectRole,
  type Setting,
} from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  made,
  put,
  removed,
  unchanged,
} from '../administration.ts';
import { leaveProject } from '../groups/service.ts';
import { findMemberByEmail } from '../members/service.ts';
import { assignment } from '../roles/assignments.ts';
import { findProject, nameOf, openProject } from './service.ts';

/** A person's place in a project, with the person. */
export type ProjectPerson = { id: string; place: Setting<'project_member'>; member: Setting<'member'> };

/** A group's place in a project, with its name. */
export type ProjectUserGroup = { id: string; place: Setting<'project_group'>; group: Setting<'group'> };

/** @param who - their id, or their email in lower case. Throws `not_found`, or `conflict` if they are already in it */
export async function addToProject(
  admin: Administration,
  projectId: string,
  who: { userId: string } | { email: string },
  role: ProjectRole,
): Promise<ProjectPerson> {
  const project = await openProject(admin, projectId);
  const member = 'userId' in who ? await found(admin, 'member', who.userId) : await findMemberByEmail(admin, who.email);
  const place = made(admin, 'project_member', { id: member.id, parentId: projectId, value: { role } });
  await change(admin, [put(place), unchanged(member), { renewSessions: { userId: member.id } }], {
    type: 'project.user.added',
    resourceId: member.id,
    project: nameOf(project),
    details: { data: { role } },
  });
  return { id: member.id, place, member };
}

export async function listProjectPeople(
  admin: Administration,
  projectId: string,
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  await findProject(admin, projectId);
  const { settings, by } = admin;
  const places = await settings.list(by.organizationId, 'project_member', { ...query, parentId: projectId });
  const ids = places.items.map(({ id }) => id);
  const members = new Map((await settings.all(by.organizationId, 'member', { ids })).map((each) => [each.id, each]));
  const items = places.items.flatMap((place) => {
    const member = members.get(place.id);
    return member === undefined ? [] : [{ id: place.id, place, member }];
  });
  return { items, hasMore: places.hasMore };
}

/** Throws `not_found`. */
export async function findProjectPerson(
  admin: Administration,
  projectId: string,
  userId: string,
): Promise<ProjectPerson> {
  await findProject(admin, projectId);
  const place = await found(admin, 'project_member', userId, projectId);
  return { id: userId, place, member: await found(admin, 'member', userId) };
}

/**
 * Throws `forbidden` if they have, or would get, a permission in the project that the administrator does not have.
 *
 * @param wanted - `null`: unchanged
 */
export async function updateProjectPerson(
  admin: Administration,
  { projectId, userId }: { projectId: string; userId: string },
  wanted: ProjectRole | null,
  ifVersion?: number,
): Promise<ProjectPerson> {
  const project = await openProject(admin, projectId);
  const { place, member } = await findProjectPerson(admin, projectId, userId);
  demandVersion(place, ifVersion);
  const role = wanted ?? place.value.role;
  const next = changed(place, { role });
  await change(admin, [put(next), { renewSessions: { userId } }], {
    type: 'project.user.updated',
    resourceId: userId,
    project: nameOf(project),
    details: { changes_requested: { role }, before: { role: place.value.role } },
  });
  return { id: userId, place: next, member };
}

/**
 * Removes their roles in the project, and their keys unless something else keeps them there. Throws as the previous
 * function does.
 */
export async function removeFromProject(admin: Administration, projectId: string, userId: string): Promise<void> {
  const project = await openProject(admin, projectId);
  const { place } = await findProjectPerson(admin, projectId, userId);
  const changes = [
    removed(place),
    { removeAll: { kind: 'role_assignment' as const, parentId: assigneeId({ type: 'user', id: userId, projectId }) } },
    { revokeKeysOfAbsent: { userId, projectId, at: admin.clock.now() } },
    { renewSessions: { userId } },
  ];
  await change(admin, changes, {
    type: 'project.user.deleted',
    resourceId: userId,
    project: nameOf(project),
    details: { before: { role: place.value.role } },
  });
}

/** @param role - of a person in a project, or the id of a role */
export async function addGroupToProject(
  admin: Administration,
  projectId: string,
  groupId: string,
  role: string,
): Promise<ProjectUserGroup> {
  const project = await openProject(admin, projectId);
  const group = await found(admin, 'group', groupId);
  const roleId = isProjectRole(role) ? ROLES_IN_PROJECTS[role] : role;
  const { changes } = await assignment(admin, { type: 'group', id: groupId, projectId }, roleId, 'role');
  const place = made(admin, 'project_group', { id: groupId, parentId: projectId, value: {} });
  await change(admin, [put(place), ...changes, unchanged(group), { renewSessions: { groupId } }], {
    type: 'project.group.added',
    resourceId: groupId,
    project: nameOf(project),
    details: { data: { group_name: group.value.name, role_id: roleId } },
  });
  return { id: groupId, place, group };
}

export async function listProjectGroups(
  admin: Administration,
  projectId: string,
  query: PageQuery,
): Promise<Page<ProjectUserGroup>> {
  await findProject(admin, projectId);
  const { settings, by } = admin;
  const places = await settings.list(by.organizationId, 'project_group', { ...query, parentId: projectId });
  const ids = places.items.map(({ id }) => id);
  const groups = new Map((await settings.all(by.organizationId, 'group', { ids })).map((each) => [each.id, each]));
  const items = places.items.flatMap((place) => {
    const group = groups.get(place.id);
    return group === undefined ? [] : [{ id: place.id, place, group }];
  });
  return { items, hasMore: places.hasMore };
}

/** Throws `not_found`. */
export async function findProjectGroup(
  admin: Administration,
  projectId: string,
  groupId: string,
): Promise<ProjectUserGroup> {
  await findProject(admin, projectId);
  const place = await found(admin, 'project_group', groupId, projectId);
  return { id: groupId, place, group: await found(admin, 'group', groupId) };
}

/**
 * Throws `not_found`, `conflict` for an archived project, or `forbidden` if the group has more permissions there than
 * the administrator.
 */
export async function removeGroupFromProject(admin: Administration, projectId: string, groupId: string): Promise<void> {
  await openProject(admin, projectId);
  const { place, group } = await findProjectGroup(admin, projectId, groupId);
  await leaveProject(admin, group, place);
}

function isProjectRole(role: string): role is ProjectRole {
  return (PROJECT_ROLES as readonly string[]).includes(role);
}

import { assigneeId, type Page, type PageQuery, type Setting, type SettingChange } from '../../core/settings.ts';
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
import { demandMayChange } from '../grants.ts';

/** Of more people times projects, the keys are looked for in a transaction for each project. */
const MOST_PLACES_AT_ONCE = 10_000;

export async function createGroup(admin: Administration, name: string): Promise<Setting<'group'>> {
  const group = made(admin, 'group', { prefix: 'group', value: { name } });
  await change(admin, [put(group)], {
    type: 'group.created',
    resourceId: group.id,
    details: { data: { group_name: name } },
  });
  return group;
}

/** A group, with how many are in it and have been given to it, and the projects that it is in. */
export type GroupInFull = {
  id: string;
  group: Setting<'group'>;
  members: number;
  roles: number;
  projects: { id: string; name: string }[];
};

/** Roles are those that were given in the organization. */
export async function withMemberships(
  { settings, by }: Administration,
  groups: readonly Setting<'group'>[],
): Promise<GroupInFull[]> {
  const ids = groups.map(({ id }) => id);
  const assigneeOf = (id: string) => assigneeId({ type: 'group', id, projectId: null });
  const [members, roles, places] = await Promise.all([
    settings.countByParent(by.organizationId, 'group_member', ids),
    settings.countByParent(by.organizationId, 'role_assignment', ids.map(assigneeOf)),
    settings.all(by.organizationId, 'project_group', { ids }),
  ]);
  const projectIds = [...new Set(places.map(({ parentId }) => parentId!))];
  const projects = await settings.all(by.organizationId, 'project', { ids: projectIds });
  const names = new Map(projects.map(({ id, value }) => [id, value.name]));
  const byGroup = Map.groupBy(places, ({ id }) => id);
  return groups.map((group) => ({
    id: group.id,
    group,
    members: members.get(group.id) ?? 0,
    roles: roles.get(assigneeOf(group.id)) ?? 0,
    projects: (byGroup.get(group.id) ?? []).map(({ parentId }) => ({
      id: parentId!,
      name: names.get(parentId!) ?? '',
    })),
  }));
}

export function listGroups({ settings, by }: Administration, query: PageQuery): Promise<Page<Setting<'group'>>> {
  return settings.list(by.organizationId, 'group', query);
}

/** Throws `not_found`. */
export function findGroup(admin: Administration, id: string): Promise<Setting<'group'>> {
  return found(admin, 'group', id);
}

export async function renameGroup(
  admin: Administration,
  id: string,
  name: string,
  ifVersion?: number,
): Promise<Setting<'group'>> {
  const group = await found(admin, 'group', id);
  demandVersion(group, ifVersion);
  const next = changed(group, { name });
  await change(admin, [put(next)], {
    type: 'group.updated',
    resourceId: id,
    details: { changes_requested: { group_name: name }, before: { group_name: group.value.name } },
  });
  return next;
}

/**
 * Those who are in it lose what they had by it, and their keys in projects that they were in by it alone. A big group leaves its
 * projects one by one before, so that no transaction holds the tables for long: each is told of for itself. Throws `forbidden`
 * where it has a role with a permission that the administrator has not.
 */
export async function deleteGroup(admin: Administration, id: string): Promise<void> {
  const group = await found(admin, 'group', id);
  const { settings, by } = admin;
  const people = (await settings.countByParent(by.organizationId, 'group_member', [id])).get(id) ?? 0;
  const places = await settings.all(by.organizationId, 'project_group', { id });
  const parts: SettingChange[] = [
    removed(group),
    // Before those who are in it, and the projects that it is in, are forgotten.
    { revokeKeysByGroup: { groupId: id, at: admin.clock.now() } },
    { renewSessions: { groupId: id } },
    { removeAll: { kind: 'group_member' as const, parentId: id } },
    { removeEvery: { kind: 'project_group' as const, id } },
    { removeAll: { kind: 'role_assignment' as const, parentId: `group:${id}` } },
  ];
  // Before anything of it is done.
  await demandMayChange(admin, parts);
  if (people * places.length > MOST_PLACES_AT_ONCE) for (const place of places) await leaveProject(admin, group, place);
  const before = { group_name: group.value.name };
  await change(admin, parts, { type: 'group.deleted', resourceId: id, details: { before } });
}

/** Its roles in the project go with it, and the keys of those who were in the project by it alone. */
export async function leaveProject(
  admin: Administration,
  group: Setting<'group'>,
  place: Setting<'project_group'>,
): Promise<void> {
  const projectId = place.parentId!;
  const project = await found(admin, 'project', projectId);
  const parentId = assigneeId({ type: 'group', id: group.id, projectId });
  const changes: SettingChange[] = [
    { revokeKeysByGroup: { groupId: group.id, projectId, at: admin.clock.now() } },
    removed(place),
    { removeAll: { kind: 'role_assignment', parentId } },
    { renewSessions: { groupId: group.id } },
  ];
  await change(admin, changes, {
    type: 'project.group.deleted',
    resourceId: group.id,
    project: { id: projectId, name: project.value.name },
    details: { before: { group_name: group.value.name } },
  });
}

/** Throws `forbidden` where who is in the group may more than the administrator, and `conflict` where they are in it. */
export async function addToGroup(admin: Administration, groupId: string, userId: string): Promise<void> {
  const group = await found(admin, 'group', groupId);
  const member = await found(admin, 'member', userId);
  const place = made(admin, 'group_member', { id: userId, parentId: groupId, value: {} });
  await change(admin, [put(place), unchanged(group), unchanged(member), { renewSessions: { userId } }], {
    type: 'group.user.added',
    resourceId: groupId,
    details: { data: { user_id: userId, group_name: group.value.name } },
  });
}

/** Throws `not_found`, and `forbidden` where who is in the group may more than the administrator. */
export async function removeFromGroup(admin: Administration, groupId: string, userId: string): Promise<void> {
  const group = await found(admin, 'group', groupId);
  const place = await found(admin, 'group_member', userId, groupId);
  const ended = { revokeKeysByGroup: { groupId, userId, at: admin.clock.now() } };
  await change(admin, [ended, removed(place), { renewSessions: { userId } }], {
    type: 'group.user.deleted',
    resourceId: groupId,
    details: { before: { user_id: userId, group_name: group.value.name } },
  });
}

/** Who is in a group, by their ids. */
export async function listGroupMembers(
  admin: Administration,
  groupId: string,
  query: PageQuery,
): Promise<Page<Setting<'member'>>> {
  await found(admin, 'group', groupId);
  const { settings, by } = admin;
  const places = await settings.list(by.organizationId, 'group_member', { ...query, parentId: groupId });
  const ids = places.items.map(({ id }) => id);
  const members = new Map((await settings.all(by.organizationId, 'member', { ids })).map((each) => [each.id, each]));
  return { items: ids.map((id) => members.get(id)).filter((each) => each !== undefined), hasMore: places.hasMore };
}

/** Throws `not_found`. */
export async function findGroupMember(
  admin: Administration,
  groupId: string,
  userId: string,
): Promise<Setting<'member'>> {
  await found(admin, 'group', groupId);
  await found(admin, 'group_member', userId, groupId);
  return found(admin, 'member', userId);
}

import { GatewayError } from '../../core/errors.ts';
import { type OrganizationRole, OWNER_ROLE } from '../../core/permissions.ts';
import {
  type Assignee,
  assigneeId,
  type Page,
  type PageQuery,
  type Setting,
  type SettingChange,
} from '../../core/settings.ts';
import { type Administration, change, found, made, noSuch, put, removed, unchanged } from '../administration.ts';
import { roleOf, type ShownRole } from '../permissions.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';
import { givableRole } from './service.ts';

/** A role of a person, assigned directly (`since`) or by groups. */
export type HeldRole = {
  id: string;
  role: OrganizationRole;
  /** Unix ms; `null` if only by groups. */
  since: number | null;
  from: readonly { type: 'user' | 'group'; id: string }[];
};

/**
 * Assigns a role. Throws `not_found`, `forbidden` if it has a permission that the administrator does not have, or
 * `conflict` if it is already assigned.
 */
export async function assignRole(admin: Administration, to: Assignee, roleId: string): Promise<ShownRole> {
  const project = to.projectId === null ? null : nameOf(await openProject(admin, to.projectId));
  const holder = await holderOf(admin, to);
  const { role, changes } = await assignment(admin, to, roleId);
  await change(admin, [...changes, unchanged(holder), renewal(to)], {
    type: 'role.assignment.created',
    resourceId: roleId,
    project,
    details: aboutAssignee(admin, to),
  });
  return role;
}

/** Changed permissions renew the secrets of a person's sessions. */
function renewal({ type, id }: Assignee): SettingChange {
  return { renewSessions: type === 'user' ? { userId: id } : { groupId: id } };
}

/**
 * The part of a change that assigns a role; the change checks permissions. Throws `not_found`.
 *
 * @param param - the name of the role in the request
 */
export async function assignment(
  admin: Administration,
  to: Assignee,
  roleId: string,
  param = 'role_id',
): Promise<{ role: ShownRole; changes: SettingChange[] }> {
  if (roleId === OWNER_ROLE) {
    throw new GatewayError('invalid_request', "To make an owner, set the user's `role` to `owner`.", {
      param,
    });
  }
  const role = await givableRole(admin, roleId, to.projectId);
  const value = { roleId, projectId: to.projectId };
  return { role, changes: [put(made(admin, 'role_assignment', { id: roleId, parentId: assigneeId(to), value }))] };
}

/**
 * Removes a direct assignment. Throws `not_found`, also if only groups have the role, and `forbidden` as `assignRole`
 * does.
 */
export async function unassignRole(admin: Administration, to: Assignee, roleId: string): Promise<void> {
  const project = to.projectId === null ? null : nameOf(await openProject(admin, to.projectId));
  await holderOf(admin, to);
  const given = await found(admin, 'role_assignment', roleId, assigneeId(to));
  await change(admin, [removed(given), renewal(to)], {
    type: 'role.assignment.deleted',
    resourceId: roleId,
    project,
    details: aboutAssignee(admin, to),
  });
}

/** A person's roles in the organization or one project, by id. */
export async function listHeldRoles(
  admin: Administration,
  to: Assignee,
  { limit, after, order = 'asc' }: PageQuery,
): Promise<Page<HeldRole>> {
  const held = await heldRoles(admin, to);
  if (order === 'desc') held.reverse();
  const isBehind = ({ id }: HeldRole) => after === undefined || (order === 'asc' ? id > after : id < after);
  const rest = held.filter(isBehind);
  return { items: rest.slice(0, limit), hasMore: rest.length > limit };
}

/** Throws `not_found`. */
export async function findHeldRole(admin: Administration, to: Assignee, roleId: string): Promise<HeldRole> {
  return (await heldRoles(admin, to)).find(({ id }) => id === roleId) ?? noSuch('role assignment');
}

async function heldRoles(admin: Administration, to: Assignee): Promise<HeldRole[]> {
  const { settings, by } = admin;
  if (to.projectId !== null) await findProject(admin, to.projectId);
  await holderOf(admin, to);
  const groups = to.type === 'user' ? await settings.all(by.organizationId, 'group_member', { id: to.id }) : [];
  const holders = [
    to,
    ...groups.map(({ parentId }) => ({ type: 'group' as const, id: parentId!, projectId: to.projectId })),
  ];
  const held = new Map<string, HeldRole>();
  for (const holder of holders) {
    const given = await settings.all(by.organizationId, 'role_assignment', { parentId: assigneeId(holder) });
    for (const { id, createdAt } of given) {
      const found = await roleOf(settings, by.organizationId, { id, projectId: to.projectId });
      if (found === null) continue;
      const { since = holder === to ? createdAt : null, from = [] } = held.get(id) ?? {};
      held.set(id, { id, role: found.role, since, from: [...from, { type: holder.type, id: holder.id }] });
    }
  }
  return [...held.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The person or group, who must be in the place of the role. Throws `not_found`. */
function holderOf(
  admin: Administration,
  { type, id, projectId }: Assignee,
): Promise<Setting<'member' | 'group' | 'project_member' | 'project_group'>> {
  if (projectId !== null) return found(admin, type === 'user' ? 'project_member' : 'project_group', id, projectId);
  return found(admin, type === 'user' ? 'member' : 'group', id);
}

function aboutAssignee({ by }: Administration, { type, id, projectId }: Assignee) {
  return {
    principal_id: id,
    principal_type: type,
    resource_id: projectId ?? by.organizationId,
    resource_type: projectId === null ? 'api.organization' : 'api.project',
  };
}

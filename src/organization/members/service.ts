import { GatewayError } from '../../core/errors.ts';
import { OWNER_ROLE } from '../../core/permissions.ts';
import type { Member, MemberRole, Page, PageQuery, ProjectRole, Setting, SettingChange } from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  noSuch,
  put,
  removed,
  unchanged,
} from '../administration.ts';
import { demandMayChange } from '../grants.ts';
import { assignment } from '../roles/assignments.ts';

export type MembershipEdit = Partial<Pick<Member, 'role' | 'developerPersona' | 'technicalLevel'>> & {
  /** A role to assign; `role_owner` makes an owner. */
  roleId?: string;
};

/** A member and their projects. */
export type MemberInProjects = {
  id: string;
  member: Setting<'member'>;
  projects: { id: string; name: string; role: ProjectRole }[];
};

/** @param query - `emails`: only these, in lower case */
export function listMembers(
  { settings, by }: Administration,
  query: PageQuery & { emails?: readonly string[] | undefined },
): Promise<Page<Setting<'member'>>> {
  return settings.members(by.organizationId, query);
}

/** Throws `not_found`. */
export function findMember(admin: Administration, id: string): Promise<Setting<'member'>> {
  return found(admin, 'member', id);
}

/** @param email - in lower case. Throws `not_found` */
export async function findMemberByEmail(admin: Administration, email: string): Promise<Setting<'member'>> {
  const { items } = await listMembers(admin, { limit: 1, emails: [email] });
  return items[0] ?? noSuch('user');
}

/** With the projects of each. */
export async function withProjects(
  { settings, by }: Administration,
  members: readonly Setting<'member'>[],
): Promise<MemberInProjects[]> {
  const ids = members.map(({ id }) => id);
  const inProjects = await settings.all(by.organizationId, 'project_member', { ids });
  const projectIds = [...new Set(inProjects.map(({ parentId }) => parentId!))];
  const projects = await settings.all(by.organizationId, 'project', { ids: projectIds });
  const names = new Map(projects.map(({ id, value }) => [id, value.name]));
  const byMember = Map.groupBy(inProjects, ({ id }) => id);
  return members.map((member) => ({
    id: member.id,
    member,
    projects: (byMember.get(member.id) ?? []).map(({ parentId, value }) => ({
      id: parentId!,
      name: names.get(parentId!) ?? '',
      role: value.role,
    })),
  }));
}

/**
 * Throws `forbidden` if somebody who is not an owner makes or unmakes one, and `conflict` for the last owner. A former
 * owner loses the keys in projects that they are no longer in.
 */
export async function updateMember(
  admin: Administration,
  id: string,
  { roleId, ...edit }: MembershipEdit,
  ifVersion?: number,
): Promise<Setting<'member'>> {
  const member = await found(admin, 'member', id);
  demandVersion(member, ifVersion);
  const role: MemberRole = roleId === OWNER_ROLE ? 'owner' : (edit.role ?? member.value.role);
  const next = changed(member, { ...edit, role });
  const changes: SettingChange[] = [put(next)];
  if (member.value.role === 'owner' && role !== 'owner') {
    // Others must not learn whether there is another owner.
    await demandMayChange(admin, changes);
    changes.push(unchanged(await anotherOwner(admin, id)), ...(await withdrawInvitesOf(admin, id)), {
      revokeKeysOfAbsent: { userId: id, at: admin.clock.now() },
    });
  }
  if (roleId !== undefined && roleId !== OWNER_ROLE) {
    changes.push(...(await assignment(admin, { type: 'user', id, projectId: null }, roleId)).changes);
  }
  if (role !== member.value.role || roleId !== undefined) changes.push({ renewSessions: { userId: id } });
  await change(admin, changes, {
    type: 'user.updated',
    resourceId: id,
    details: {
      changes_requested: {
        role: edit.role,
        role_id: roleId,
        developer_persona: edit.developerPersona,
        technical_level: edit.technicalLevel,
      },
      before: { role: member.value.role },
    },
  });
  return next;
}

/**
 * Ends a membership and everything that belongs to it: places in projects and groups, roles, keys, and open invites.
 * Throws as `updateMember` does, and `forbidden` if they have a permission anywhere that the administrator does not
 * have.
 */
export async function removeMember(admin: Administration, id: string): Promise<void> {
  const { by, clock } = admin;
  const member = await found(admin, 'member', id);
  const changes: SettingChange[] = [
    removed(member),
    { removeEvery: { kind: 'project_member', id } },
    { removeEvery: { kind: 'group_member', id } },
    { removeAll: { kind: 'role_assignment', parentId: `user:${id}` } },
    ...(await withdrawInvitesOf(admin, id)),
    { revokeKeys: { of: 'owner', id, at: clock.now() } },
    { endSessions: { userId: id, organizationId: by.organizationId } },
  ];
  if (member.value.role === 'owner') {
    await demandMayChange(admin, changes);
    changes.push(unchanged(await anotherOwner(admin, id)));
  }
  const { email, role } = member.value;
  await change(admin, changes, { type: 'user.deleted', resourceId: id, details: { before: { email, role } } });
}

/** A former member must not come back by an invite that they sent. */
async function withdrawInvitesOf({ settings, by }: Administration, id: string): Promise<SettingChange[]> {
  return (await settings.openInvitesOf(by.organizationId, id)).map(removed);
}

/**
 * Another owner. A change that ends an owner depends on another who stays (`unchanged`), so of two owners who leave at
 * once only one succeeds. Throws `conflict` if there is none.
 */
async function anotherOwner({ settings, by }: Administration, id: string): Promise<Setting<'member'>> {
  const { items } = await settings.members(by.organizationId, { limit: 2, areOwners: true });
  const other = items.find((member) => member.id !== id);
  if (other !== undefined) return other;
  throw new GatewayError('conflict', 'This is the last owner. Make another member an owner first.');
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { actorIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import { PREDEFINED_ROLES, ROLES_IN_PROJECTS } from '../core/permissions.ts';
import type { Invite, MemberRole, Page, PageQuery, Setting, SettingChange } from '../core/settings.ts';
import { DAY_MS } from '../core/utc-day.ts';
import {
  type Administration,
  type Administrator,
  type AdminParts,
  change,
  changed,
  found,
  made,
  noSuch,
  put,
  removed,
  unchanged,
} from './administration.ts';
import { demandMayGiveRolesOf, findGroup } from './groups.ts';
import { listMembers } from './members.ts';
import { administratorFor, demandMayGive, demandOwner, demandPermission } from './permitted.ts';
import { openProject } from './projects.ts';

/** How long an invite can be accepted. */
export const INVITE_DAYS = 7;
const SECRET_BYTES = 32;
/** The longest that a link's word is looked at. */
const MAX_TOKEN_LENGTH = 500;
/** Who has sent what a command did. */
const OPERATOR = 'operator';

/** `email` is in lower case. */
export type NewInvite = { email: string; role: MemberRole; projects: Invite['projects']; groups?: readonly string[] };

/** A person who accepts. `email` is in lower case. */
export type InvitedPerson = { id: string; email: string; name: string | null };

/**
 * Invites somebody for a week. `token` is what its link carries: whoever has it can accept; it is never shown again. Throws
 * `forbidden` where somebody would get more than the administrator has, `conflict` where they are a member.
 */
export async function createInvite(
  admin: Administration,
  { email, role, projects, groups = [] }: NewInvite,
): Promise<{ invite: Setting<'invite'>; token: string }> {
  for (const { id } of projects) await openProject(admin, id);
  for (const id of groups) await findGroup(admin, id);
  await demandMayInvite(admin, { role, projects, groups });
  if ((await listMembers(admin, { limit: 1, emails: [email] })).items.length > 0) {
    throw new GatewayError('conflict', 'Somebody with this email is a member already.', { param: 'email' });
  }
  const secret = admin.random(SECRET_BYTES).toString('base64url');
  const expiresAt = admin.clock.now() + INVITE_DAYS * DAY_MS;
  const { actor, organizationId } = admin.by;
  const invitedBy = (actor.type === 'api_key' ? actor.userId : null) ?? actorIdOf(actor) ?? OPERATOR;
  const value = { email, role, projects, groups, tokenHash: hashOf(secret), expiresAt, acceptedAt: null, invitedBy };
  const invite = made(admin, 'invite', { prefix: 'invite', value });
  await change(admin, [put(invite)], {
    type: 'invite.sent',
    resourceId: invite.id,
    details: { data: { email, role, projects, groups } },
  });
  return { invite, token: [organizationId, invite.id, secret].join('.') };
}

/** Throws `forbidden` where whoever accepts would get more than the administrator has. */
async function demandMayInvite(
  admin: Pick<Administration, 'settings' | 'by'>,
  { role, projects, groups = [] }: Pick<Invite, 'role' | 'projects' | 'groups'>,
): Promise<void> {
  if (role === 'owner') demandOwner(admin.by);
  for (const { id, role: roleThere } of projects)
    demandMayGive(admin.by, PREDEFINED_ROLES.get(ROLES_IN_PROJECTS[roleThere])!.permissions, id);
  for (const id of groups) await demandMayGiveRolesOf(admin, id);
}

/**
 * Whether who has sent an invite may still send it: whoever loses a role, by whatever way, brings nobody in by what they sent
 * before, nor does who was removed, nor a key that is nobody's once it was revoked or turned off. What an operator has sent is
 * nobody's to lose.
 */
async function isStillGiven(
  settings: AdminParts['settings'],
  organizationId: string,
  invite: Invite,
): Promise<boolean> {
  const userId = invite.invitedBy;
  if (userId === OPERATOR) return true;
  if ((await settings.find(organizationId, 'member', userId)) === null) {
    const key = await settings.key(organizationId, userId);
    return key !== null && key.revokedAt === null && key.disabledAt === null;
  }
  try {
    const by = await administratorFor(settings, { organizationId, userId }, { projectId: null, request: null });
    demandPermission(by, 'api.members.write');
    await demandMayInvite({ settings, by }, invite);
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'forbidden') return false;
    throw error;
  }
}

export function listInvites({ settings, by }: Administration, query: PageQuery): Promise<Page<Setting<'invite'>>> {
  return settings.list(by.organizationId, 'invite', query);
}

/** Throws `not_found`. */
export function findInvite(admin: Administration, id: string): Promise<Setting<'invite'>> {
  return found(admin, 'invite', id);
}

/** Its link is of no use from then on. Throws `conflict` where it was accepted. */
export async function deleteInvite(admin: Administration, id: string): Promise<void> {
  const invite = await found(admin, 'invite', id);
  if (invite.value.acceptedAt !== null) {
    throw new GatewayError('conflict', 'This invite was accepted: remove the user in place of it.');
  }
  const { email, role } = invite.value;
  await change(admin, [removed(invite)], {
    type: 'invite.deleted',
    resourceId: id,
    details: { before: { email, role } },
  });
}

export function inviteStatus({ acceptedAt, expiresAt }: Invite, now: number): 'accepted' | 'expired' | 'pending' {
  if (acceptedAt !== null) return 'accepted';
  return expiresAt <= now ? 'expired' : 'pending';
}

/** The invite that a link is of, where it can still be accepted. Throws `not_found`, the same for whatever is wrong with it. */
export async function inviteOf(
  { settings, clock }: Pick<AdminParts, 'settings' | 'clock'>,
  token: string,
): Promise<{ organizationId: string; invite: Setting<'invite'> }> {
  const [organizationId = '', id = '', secret = '', ...rest] = token.slice(0, MAX_TOKEN_LENGTH).split('.');
  const invite = rest.length > 0 ? null : await settings.find(organizationId, 'invite', id);
  const wanted = Buffer.from(invite?.value.tokenHash ?? hashOf(''), 'hex');
  const isRight = timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), wanted) && secret !== '';
  if (!isRight || invite === null || inviteStatus(invite.value, clock.now()) !== 'pending') {
    return noSuch('open invite');
  }
  if (!(await isStillGiven(settings, organizationId, invite.value))) return noSuch('open invite');
  return { organizationId, invite };
}

/**
 * Makes a person a member, as their invite says. It is accepted once, also of two who do so at the same time. Projects that
 * were archived meanwhile, and groups that were deleted, are left out. Throws `not_found`; `forbidden` where it is for another email; `conflict`.
 *
 * @param also - what is to be done in the same transaction: the person is made, and signed in
 */
export async function acceptInvite(
  parts: AdminParts,
  token: string,
  { person, request }: { person: InvitedPerson; request: Administrator['request'] },
  also: readonly SettingChange[] = [],
): Promise<{ organizationId: string; member: Setting<'member'> }> {
  const { organizationId, invite } = await inviteOf(parts, token);
  const { email, role, projects, groups = [] } = invite.value;
  if (email !== person.email) throw new GatewayError('forbidden', 'This invite is for another email address.');
  const actor = { type: 'session' as const, userId: person.id, email };
  const admin = { ...parts, by: { organizationId, actor, permissions: new Set<never>(), request } };
  const value = { email, name: person.name, role };
  const member = made(admin, 'member', { id: person.id, value });
  const changes: SettingChange[] = [...also, put(changed(invite, { acceptedAt: parts.clock.now() })), put(member)];
  const ids = projects.map(({ id }) => id);
  const there = await parts.settings.all(organizationId, 'project', { ids });
  const open = new Set(there.filter((project) => project.value.archivedAt === null).map(({ id }) => id));
  for (const { id: parentId, role: roleThere } of projects) {
    if (!open.has(parentId)) continue;
    changes.push(put(made(admin, 'project_member', { id: person.id, parentId, value: { role: roleThere } })));
  }
  for (const group of await parts.settings.all(organizationId, 'group', { ids: groups })) {
    const place = made(admin, 'group_member', { id: person.id, parentId: group.id, value: {} });
    changes.push(put(place), unchanged(group));
  }
  await change(admin, changes, {
    type: 'invite.accepted',
    resourceId: invite.id,
    details: { data: { user_id: person.id, email, role, projects, groups } },
  });
  return { organizationId, member };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

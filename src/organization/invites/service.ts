import { createHash, timingSafeEqual } from 'node:crypto';
import type { Administrator } from '../../core/administrator.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Invite, MemberRole, Page, PageQuery, Setting, SettingChange } from '../../core/settings.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import {
  type Administration,
  type AdminParts,
  change,
  changed,
  found,
  made,
  noSuch,
  put,
  removed,
} from '../administration.ts';
import { gathered } from '../batched-settings.ts';
import { isOpenInvite, senderOfOpen, sentBy } from '../grants.ts';
import { findGroup } from '../groups/service.ts';
import { asRead } from '../guarded-settings.ts';
import { listMembers } from '../members/service.ts';
import { openProject } from '../projects/service.ts';

/** How long an invite can be accepted. */
export const INVITE_DAYS = 7;
const SECRET_BYTES = 32;
/** How often an acceptance is decided anew that something changed under which it goes by, before it is refused (`conflict`). */
const ACCEPT_TRIES = 10;
/** The longest that a link's word is looked at. */
const MAX_TOKEN_LENGTH = 500;

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
  if ((await listMembers(admin, { limit: 1, emails: [email] })).items.length > 0) {
    throw new GatewayError('conflict', 'A user with this email is already a member.', { param: 'email' });
  }
  const secret = admin.random(SECRET_BYTES).toString('base64url');
  const expiresAt = admin.clock.now() + INVITE_DAYS * DAY_MS;
  const { actor, organizationId } = admin.by;
  const value = { email, role, projects, groups, tokenHash: hashOf(secret), expiresAt, acceptedAt: null };
  const invite = made(admin, 'invite', { prefix: 'invite', value: { ...value, ...sentBy(actor) } });
  await change(admin, [put(invite)], {
    type: 'invite.sent',
    resourceId: invite.id,
    details: { data: { email, role, projects, groups } },
  });
  return { invite, token: [organizationId, invite.id, secret].join('.') };
}

/** How an invite stands: `expired` is one whose time is over, or whose sender could not send it any more. */
export type InviteStatus = 'accepted' | 'expired' | 'pending';
export type ShownInvite = { id: string; invite: Setting<'invite'>; status: InviteStatus };

export async function listInvites(admin: Administration, query: PageQuery): Promise<Page<ShownInvite>> {
  const { items, hasMore } = await admin.settings.list(admin.by.organizationId, 'invite', query);
  const asked = { ...admin, settings: gathered(admin.settings) };
  return { items: await Promise.all(items.map((invite) => shown(asked, invite))), hasMore };
}

async function shown(admin: Administration, invite: Setting<'invite'>): Promise<ShownInvite> {
  const at = { ...admin, organizationId: admin.by.organizationId };
  const isOpen = async () => ((await isOpenInvite(at, invite)) ? 'pending' : 'expired');
  return { id: invite.id, invite, status: invite.value.acceptedAt !== null ? 'accepted' : await isOpen() };
}

/** Throws `not_found`. */
export async function findInvite(admin: Administration, id: string): Promise<ShownInvite> {
  return shown(admin, await found(admin, 'invite', id));
}

/**
 * Its link is of no use from then on. Throws `conflict` where it was accepted, and `forbidden` where it is open and gives more than
 * the administrator has.
 */
export async function deleteInvite(admin: Administration, id: string): Promise<void> {
  const invite = await found(admin, 'invite', id);
  if (invite.value.acceptedAt !== null) {
    throw new GatewayError('conflict', 'This invite was already accepted. Remove the user instead.');
  }
  const { email, role } = invite.value;
  await change(admin, [removed(invite)], {
    type: 'invite.deleted',
    resourceId: id,
    details: { before: { email, role } },
  });
}

/** The invite that a link is of, where it can still be accepted. Throws `not_found`, the same for whatever is wrong with it. */
export async function inviteOf(
  { settings, clock }: Pick<AdminParts, 'settings' | 'clock'>,
  token: string,
): Promise<{ organizationId: string; invite: Setting<'invite'>; sender: Administrator }> {
  const [organizationId = '', id = '', secret = '', ...rest] = token.slice(0, MAX_TOKEN_LENGTH).split('.');
  const invite = rest.length > 0 ? null : await settings.find(organizationId, 'invite', id);
  const wanted = Buffer.from(invite?.value.tokenHash ?? hashOf(''), 'hex');
  const isRight = timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), wanted) && secret !== '';
  if (!isRight || invite === null) return noSuch('open invite');
  const sender = await senderOfOpen({ settings, clock, organizationId }, invite);
  return sender === null ? noSuch('open invite') : { organizationId, invite, sender };
}

/** Who accepts an invite. `also`: what is to be done in the same transaction: the person is made, and signed in. */
type Acceptance = { person: InvitedPerson; request: Administrator['request']; also: readonly SettingChange[] };

/**
 * Makes a person a member, as their invite says. It is accepted once, also of two who do so at the same time, and only where its
 * sender may still send it at the moment in which it is written. Projects that were archived meanwhile, and groups that were
 * deleted, are left out. Throws `not_found`; `forbidden` where it is for another email; `conflict`.
 */
export async function acceptInvite(
  parts: AdminParts,
  token: string,
  { also = [], ...by }: Omit<Acceptance, 'also'> & { also?: readonly SettingChange[] },
): Promise<{ organizationId: string; member: Setting<'member'> }> {
  for (let tries = 1; ; tries += 1) {
    const { settings, isStale } = asRead(parts.settings);
    try {
      return await accept({ ...parts, settings }, token, { ...by, also });
    } catch (error) {
      const isLate = error instanceof GatewayError && error.kind === 'conflict' && isStale();
      if (!isLate || tries === ACCEPT_TRIES) throw error;
    }
  }
}

async function accept(
  parts: AdminParts,
  token: string,
  { person, request, also }: Acceptance,
): Promise<{ organizationId: string; member: Setting<'member'> }> {
  const { organizationId, invite, sender } = await inviteOf(parts, token);
  const { email, role, projects, groups = [] } = invite.value;
  if (email !== person.email) throw new GatewayError('forbidden', 'This invite is for another email address.');
  const actor = { type: 'session' as const, userId: person.id, email };
  // What the invite gives is given by who has sent it.
  const admin = { ...parts, by: { ...sender, actor, request } };
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
    changes.push(put(place));
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

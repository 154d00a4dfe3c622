import type { Administrator } from '../core/administrator.ts';
import type { Actor } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import { type OrganizationRole, PERMISSIONS, PREDEFINED_ROLES, ROLES_IN_PROJECTS } from '../core/permissions.ts';
import type { ApiKey } from '../core/records.ts';
import {
  type Assignee,
  assigneeId,
  assigneeOf,
  type Invite,
  type ProjectRole,
  type Setting,
  type SettingChange,
  type SettingKind,
  type SettingVersion,
} from '../core/settings.ts';
import type { Administration, AdminParts } from './administration.ts';
import { demandMayManageKey } from './api-keys/owners.ts';
import {
  administratorByKey,
  administratorFor,
  demandMayGive,
  demandOwner,
  demandPermission,
  isOwner,
  roleOf,
} from './permissions.ts';

/** What is read to find what a change gives and removes, and in which organization. */
type GrantPlace = Pick<AdminParts, 'settings' | 'clock'> & { organizationId: string };

type AnySetting = { [Kind in SettingKind]: Setting<Kind> }[SettingKind];

/** What a change gives to somebody or removes from them. */
type Grant =
  | { permissions: OrganizationRole['permissions']; projectId: string | null }
  /** That somebody is an owner. */
  | 'owner'
  | { key: ApiKey };

/** The page size of a project's keys. */
const KEYS_AT_ONCE = 1_000;
/** The owners that are read at once. A key of a further owner would count as ended, which only refuses more. */
const MOST_OWNERS = 1_000;
/** The sender of what a command did. */
const OPERATOR = 'operator';

/**
 * Nobody can give or remove permissions that they do not have. This checks every change of memberships, roles, groups,
 * places in projects and invites, and whatever ends keys along with a project or a group. Throws `forbidden`.
 */
export async function demandMayChange(
  admin: Pick<Administration, 'settings' | 'clock' | 'by'>,
  changes: readonly SettingChange[],
): Promise<void> {
  const { by } = admin;
  if (isOwner(by)) return;
  const place = { ...admin, organizationId: by.organizationId };
  for (const change of changes) for await (const grant of grantsOf(place, change)) demandMayGrant(by, grant);
}

function demandMayGrant(by: Administrator, grant: Grant): void {
  if (grant === 'owner') demandOwner(by);
  else if ('key' in grant) demandMayManageKey(by, grant.key);
  else demandMayGive(by, grant.permissions, grant.projectId);
}

async function* grantsOf(at: GrantPlace, change: SettingChange): AsyncIterable<Grant> {
  if ('put' in change) {
    const before = await settingAt(at, change.put);
    const isAnOwner = (each: AnySetting | null) => each?.kind === 'member' && each.value.role === 'owner';
    // An owner before and after gains and loses nothing.
    if (isAnOwner(before) && isAnOwner(change.put)) return;
    if (before !== null && before.kind !== 'invite') yield* grantsIn(at, before);
    yield* grantsIn(at, change.put);
  } else if ('remove' in change) {
    const before = await settingAt(at, change.remove);
    if (before !== null && (before.kind !== 'invite' || (await isOpenInvite(at, before)))) yield* grantsIn(at, before);
  } else if ('removeAll' in change && change.removeAll.kind === 'role_assignment') {
    yield* rolesOf(at, assigneeOf(change.removeAll.parentId));
  } else if ('removeEvery' in change) {
    const { kind, id } = change.removeEvery;
    if (kind !== 'project_member' && kind !== 'group_member') return;
    for (const each of await at.settings.all(at.organizationId, kind, { id })) yield* grantsIn(at, each as AnySetting);
  } else if ('revokeKeys' in change && change.revokeKeys.of === 'project') {
    yield* keysOf(at, change.revokeKeys.id);
  } else if ('revokeKeysByGroup' in change) {
    yield* keysByGroup(at, change.revokeKeysByGroup);
  }
}

function settingAt({ settings, organizationId }: GrantPlace, { kind, id, parentId }: SettingVersion) {
  return settings.find(organizationId, kind, id, parentId) as Promise<AnySetting | null>;
}

/** What a setting gives to somebody. */
async function* grantsIn(at: GrantPlace, setting: AnySetting): AsyncIterable<Grant> {
  const { kind, id, parentId, value } = setting;
  if (kind === 'member' && value.role === 'owner') yield 'owner';
  if (kind === 'project_member') yield grantInProject(value.role, parentId!);
  if (kind === 'group_member') yield* rolesOf(at, { type: 'group', id: parentId!, projectId: null });
  if (kind === 'role_assignment') yield grantOfRole(at, id, assigneeOf(parentId!).projectId);
  if (kind === 'role') yield { permissions: value.permissions, projectId: parentId };
  if (kind === 'invite') yield* grantsOfInvite(at, value);
  // A group itself gives nothing: renaming it changes nobody's permissions.
}

function grantInProject(role: ProjectRole, projectId: string): Grant {
  return { permissions: PREDEFINED_ROLES.get(ROLES_IN_PROJECTS[role])!.permissions, projectId };
}

async function grantOfRole(
  { settings, organizationId }: GrantPlace,
  id: string,
  projectId: string | null,
): Promise<Grant> {
  const role = await roleOf(settings, organizationId, { id, projectId });
  return { permissions: role?.role.permissions ?? [], projectId };
}

/** The roles assigned to a person or a group in one project, or in the organization and so in all projects. */
async function* rolesOf(at: GrantPlace, holder: Assignee): AsyncIterable<Grant> {
  const { settings, organizationId } = at;
  const { type, id } = holder;
  const kind = type === 'user' ? 'project_member' : 'project_group';
  const projects = holder.projectId === null ? await settings.all(organizationId, kind, { id }) : [];
  for (const projectId of [holder.projectId, ...projects.map(({ parentId }) => parentId)]) {
    const parentId = assigneeId({ type, id, projectId });
    for (const given of await settings.all(organizationId, 'role_assignment', { parentId }))
      yield grantOfRole(at, given.id, projectId);
  }
}

/** What accepting an invite gives. */
async function* grantsOfInvite(
  at: GrantPlace,
  { role, projects, groups = [], acceptedAt }: Invite,
): AsyncIterable<Grant> {
  if (acceptedAt !== null) return;
  if (role === 'owner') yield 'owner';
  for (const { id, role: roleThere } of projects) yield grantInProject(roleThere, id);
  for (const id of groups) yield* rolesOf(at, { type: 'group', id, projectId: null });
}

async function* keysOf({ settings, organizationId }: GrantPlace, projectId: string): AsyncIterable<{ key: ApiKey }> {
  for (const access of ['models', 'administration'] as const) {
    let after: string | undefined;
    do {
      const page = await settings.keys(organizationId, { access, projectId, limit: KEYS_AT_ONCE, after });
      for (const key of page.items) yield { key };
      after = page.hasMore ? page.items.at(-1)!.id : undefined;
    } while (after !== undefined);
  }
}

type LeavingGroup = Extract<SettingChange, { revokeKeysByGroup: unknown }>['revokeKeysByGroup'];

/** The keys of people whom only this group puts into a project. */
async function* keysByGroup(
  at: GrantPlace,
  { groupId, userId, projectId }: Omit<LeavingGroup, 'at'>,
): AsyncIterable<Grant> {
  const { settings, organizationId } = at;
  const inGroup = await settings.all(organizationId, 'group_member', { parentId: groupId });
  const leaving = new Set(inGroup.map(({ id }) => id).filter((id) => userId === undefined || id === userId));
  if (leaving.size === 0) return;
  for (const { parentId } of await settings.all(organizationId, 'project_group', { id: groupId })) {
    if (projectId !== undefined && parentId !== projectId) continue;
    const isElsewhereIn = await placesWithout(at, parentId!, groupId);
    for await (const { key } of keysOf(at, parentId!)) {
      const { owner } = key;
      if (owner?.type === 'user' && leaving.has(owner.id) && !isElsewhereIn(owner.id)) yield { key };
    }
  }
}

/** Whether something other than the group puts somebody into a project; the store decides the same of each key. */
async function placesWithout(
  { settings, organizationId }: GrantPlace,
  projectId: string,
  groupId: string,
): Promise<(userId: string) => boolean> {
  const [own, groups, owners] = await Promise.all([
    settings.all(organizationId, 'project_member', { parentId: projectId }),
    settings.all(organizationId, 'project_group', { parentId: projectId }),
    settings.members(organizationId, { limit: MOST_OWNERS, areOwners: true }),
  ]);
  const parentIds = groups.map(({ id }) => id).filter((id) => id !== groupId);
  const ofGroups = parentIds.length === 0 ? [] : await settings.all(organizationId, 'group_member', { parentIds });
  const there = new Set([...own, ...ofGroups, ...owners.items].map(({ id }) => id));
  return (userId) => there.has(userId);
}

/**
 * The sender of an invite, as it is stored: the person or the operator, and the key that was used, also one without
 * owner.
 */
export function sentBy(actor: Actor): Pick<Invite, 'invitedBy' | 'keyId'> {
  if (actor.type === 'operator') return { invitedBy: OPERATOR };
  if (actor.type === 'session') return { invitedBy: actor.userId };
  return { invitedBy: actor.userId ?? actor.keyId, keyId: actor.keyId };
}

/**
 * The sender of an invite as an administrator with their present permissions, if it is still open: the sender could
 * still send it today. An invite sent by key also needs the key to be valid. For older invites only the person is
 * known, or the key if it had no owner. `null`: it is not open.
 */
export async function senderOfOpen(at: GrantPlace, invite: Setting<'invite'>): Promise<Administrator | null> {
  const { acceptedAt, expiresAt } = invite.value;
  if (acceptedAt !== null || expiresAt <= at.clock.now()) return null;
  try {
    const by = await administratorWhoSent(at, invite.value);
    demandPermission(by, 'api.members.write');
    await demandMayChange({ ...at, by }, [{ put: invite }]);
    return by;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'forbidden') return null;
    throw error;
  }
}

/** Whether an invite could be accepted now. */
export async function isOpenInvite(at: GrantPlace, invite: Setting<'invite'>): Promise<boolean> {
  return (await senderOfOpen(at, invite)) !== null;
}

async function administratorWhoSent(
  { settings, clock, organizationId }: GrantPlace,
  { invitedBy, keyId }: Invite,
): Promise<Administrator> {
  const asked = { projectId: null, request: null };
  if (invitedBy === OPERATOR)
    return { organizationId, actor: { type: 'operator' }, permissions: new Set(PERMISSIONS), request: null };
  const isPerson = (await settings.find(organizationId, 'member', invitedBy)) !== null;
  if (keyId === undefined && isPerson) return administratorFor(settings, { organizationId, userId: invitedBy }, asked);
  const key = await settings.key(organizationId, keyId ?? invitedBy);
  if (key === null || hasEnded(key, clock.now())) throw new GatewayError('forbidden', 'This key has ended.');
  return administratorByKey(settings, key, asked);
}

function hasEnded({ revokedAt, disabledAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt !== null || disabledAt !== null || (expiresAt !== null && expiresAt <= now);
}

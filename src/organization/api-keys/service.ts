import { userIdOf } from '../../core/audit.ts';
import { type ApiKey, type KeyOwner, narrowerScope, type UsageScope } from '../../core/records.ts';
import type { Page, PageQuery, Setting, SettingChange, SettingKind } from '../../core/settings.ts';
import { mintKey } from '../../keys/format.ts';
import { checkedEdit, checkOverlap, type KeyEdit, type NewKey, namedBefore, rotationTo } from '../../keys/keys.ts';
import { type Administration, change, demandVersion, invalid, noSuch, unchanged } from '../administration.ts';
import { demandMayReadUsage, usageFor, usageReach } from '../permissions.ts';
import { placeOfPerson } from '../projects/places.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';
import { adding, type NewSecret } from '../service-accounts/service.ts';
import { factsOf, type KeyFacts } from './facts.ts';
import { demandMayManageKey, newKeyBy, personAtWork } from './owners.ts';

/** The facts of a new key, without organization and project. */
export type NewProjectKey = Omit<NewKey, 'organizationId' | 'createdBy' | 'projectId' | 'access' | 'owner'>;

/**
 * Creates a key for a person or service account of the project, or without an owner. Throws `forbidden` as
 * `demandMayManageKey` does.
 *
 * @param wanted - `owner` defaults to the person who creates it, signed in or by key; to none if there is no such
 * person
 */
export async function createProjectKey(
  admin: Administration,
  projectId: string,
  { owner: named, ...wanted }: NewProjectKey & { owner?: KeyOwner | null | undefined },
): Promise<NewSecret> {
  const project = await openProject(admin, projectId);
  const owner = named === undefined ? personAtWork(admin.by) : named;
  const param = owner?.type === 'service_account' ? 'service_account_id' : 'user_id';
  const { product = null, admin: isAdmin = false } = wanted;
  demandMayManageKey(admin.by, { owner, product, admin: isAdmin, access: 'models' }, param);
  // No key must outlive a person who leaves, or a project that is archived, at the same time.
  const there = [project, ...(owner === null ? [] : await placeOf(admin, projectId, owner))].map(unchanged);
  const usage = usageFor(admin.by, projectId, wanted.usage);
  const next = newKeyBy(admin, { ...wanted, projectId, owner, usage });
  await change(admin, [adding(admin, next), ...there], {
    type: 'api_key.created',
    resourceId: next.key.id,
    project: nameOf(project),
    details: { data: { scopes: next.key.scopes }, name: next.key.name, owner },
  });
  return next;
}

/**
 * The settings that put the owner into the project. People who may create keys in the whole organization may own keys
 * in every project. Throws `invalid_request` if there are none.
 */
async function placeOf(
  admin: Administration,
  projectId: string,
  { type, id }: KeyOwner,
): Promise<readonly Setting<SettingKind>[]> {
  if (type === 'user') return (await placeOfPerson(admin, projectId, id)) ?? [await memberEverywhere(admin, id)];
  const account = await admin.settings.find(admin.by.organizationId, 'service_account', id, projectId);
  if (account === null) throw invalid('service_account_id', 'is not a member of this project');
  return [account];
}

async function memberEverywhere({ settings, by }: Administration, userId: string): Promise<Setting<'member'>> {
  if (userId !== userIdOf(by.actor)) throw invalid('user_id', 'is not a member of this project');
  const member = by.permissions.has('api.keys.write') && (await settings.find(by.organizationId, 'member', userId));
  if (!member) throw invalid('user_id', 'must be another person, because you are not in this project');
  return member;
}

/** Keys of owners who are in the project (`active`), are not (`inactive`), or both (`any`). */
export async function listProjectKeys(
  admin: Administration,
  projectId: string,
  { wanted, ...query }: PageQuery & { wanted: 'active' | 'inactive' | 'any' },
): Promise<Page<KeyFacts>> {
  await findProject(admin, projectId);
  const here = wanted === 'any' ? {} : { isOwnerHere: wanted === 'active' };
  const { organizationId } = admin.by;
  const found = await admin.settings.keys(organizationId, { ...query, ...here, access: 'models', projectId });
  return { items: await factsOf(admin, found.items), hasMore: found.hasMore };
}

/** A key and its project. */
export type PlacedKey = KeyFacts & { project: { id: string; name: string } };

/**
 * Keys of all projects that the administrator may read and that are not archived.
 *
 * @param query - with `search`: those with it in their name or id, best matches first, in one page
 */
export async function listAllKeys(
  admin: Administration,
  { search, ...query }: PageQuery & { search?: string | undefined },
): Promise<Page<PlacedKey>> {
  const { organizationId, onlyProjects } = admin.by;
  if (search !== undefined) {
    const place = (['after', 'before'] as const).find((each) => query[each] !== undefined);
    if (place !== undefined) throw invalid(place, 'cannot be combined with `search`, which has one page');
    return { items: await foundKeys(admin, search, query.limit), hasMore: false };
  }
  const listed = { ...query, access: 'models', ofOpenProjects: onlyProjects ?? 'all' } as const;
  const { items, hasMore } = await admin.settings.keys(organizationId, listed);
  const ids = [...new Set(items.map(({ projectId }) => projectId!))];
  const places = await admin.settings.all(organizationId, 'project', { ids });
  const projects = new Map(places.map((each) => [each.id, nameOf(each)]));
  const facts = await factsOf(admin, items);
  return { items: facts.map((each) => ({ ...each, project: projects.get(each.key.projectId!)! })), hasMore };
}

async function foundKeys(admin: Administration, words: string, limit: number): Promise<PlacedKey[]> {
  const { organizationId, onlyProjects } = admin.by;
  const kinds = [{ kind: 'api_key' as const, ...(onlyProjects !== undefined && { ofProjects: onlyProjects }) }];
  const { items } = await admin.settings.search(organizationId, { words, kinds, limit });
  const ids = items.map(({ id }) => id);
  const keys = new Map((await admin.settings.keysOfIds(organizationId, ids)).map((key) => [key.id, key]));
  const facts = await factsOf(
    admin,
    ids.flatMap((id) => keys.get(id) ?? []),
  );
  const projects = new Map(items.map(({ id, project }) => [id, project]));
  return facts.map((each) => ({ ...each, project: projects.get(each.id)! }));
}

export async function findProjectKey(admin: Administration, projectId: string, id: string): Promise<ApiKey> {
  await findProject(admin, projectId);
  const key = await admin.settings.key(admin.by.organizationId, id);
  if (key === null || key.projectId !== projectId || key.revokedAt !== null) return noSuch('API key');
  return key;
}

/**
 * Changes the given fields. Throws `invalid_request` with the field as `param`, `conflict` after a concurrent change,
 * and `forbidden` as `demandMayManageKey` does.
 */
export async function updateProjectKey(
  admin: Administration,
  { projectId, id, ifVersion }: { projectId: string; id: string; ifVersion?: number | undefined },
  edit: KeyEdit,
): Promise<ApiKey> {
  const project = await openProject(admin, projectId);
  const key = await findProjectKey(admin, projectId, id);
  demandVersion(key, ifVersion);
  return updateKey(admin, { key, project }, edit);
}

/** A key and its project, which keys of administrators have none of. */
export type KeyInProject = { key: ApiKey; project: Setting<'project'> | null };

/** Changes the given fields of a key that was found. Throws as `updateProjectKey` does. */
export async function updateKey(admin: Administration, { key, project }: KeyInProject, edit: KeyEdit): Promise<ApiKey> {
  demandMayManageKey(admin.by, key);
  const changes = checkedEdit(key, edit, admin.clock.now());
  if (changes.usage !== undefined) demandMayReadUsage(admin.by, key.projectId, changes.usage);
  await change(admin, [{ changeKey: { id: key.id, changes, version: key.version } }], {
    type: 'api_key.updated',
    resourceId: key.id,
    project: project && nameOf(project),
    details: { changes_requested: shown(edit), before: shown(namedBefore(key, edit)) },
  });
  return { ...key, ...changes, version: key.version + 1 };
}

/** Replaces a key's secret; the old one stays valid for `overlapMs`. Throws as `updateProjectKey` does. */
export async function rotateProjectKey(
  admin: Administration,
  { projectId, id }: { projectId: string; id: string },
  overlapMs: number,
): Promise<NewSecret & { earlierUntil: number }> {
  const project = await openProject(admin, projectId);
  return replaceSecret(admin, { key: await findProjectKey(admin, projectId, id), project }, overlapMs);
}

/** Replaces the secret of a key that was found. Throws as `updateProjectKey` does. */
export async function replaceSecret(
  admin: Administration,
  { key, project }: KeyInProject,
  overlapMs: number,
): Promise<NewSecret & { earlierUntil: number }> {
  const { id } = key;
  demandMayManageKey(admin.by, key);
  const now = admin.clock.now();
  checkOverlap(overlapMs, overlapMs > 0 ? await admin.keys.earlierSecrets(id, now) : 0);
  const secret = mintKey(admin.random);
  const rotation = rotationTo(secret, { pepper: admin.pepper, now, overlapMs });
  const { hint, earlierUntil } = rotation;
  const usage = usageOnceRotated(admin.by, key);
  const isLess = usage !== key.usage;
  const rotated = { rotateKey: { ...rotation, id } };
  const less = { changeKey: { id, changes: { usage }, version: key.version } };
  await change(admin, isLess ? [less, rotated] : [rotated], {
    type: 'api_key.rotated',
    resourceId: id,
    project: project && nameOf(project),
    details: {
      earlier_secret_until: earlierUntil,
      ...(isLess && { changes: { usage }, before: { usage: key.usage } }),
    },
  });
  return { key: { ...key, usage, hint, version: key.version + (isLess ? 2 : 1) }, secret, earlierUntil };
}

/**
 * The receiver of a secret must not read more usage with it than by themselves. A person's own key is limited at each
 * use instead.
 */
function usageOnceRotated(by: Administration['by'], { owner, projectId, usage }: ApiKey): UsageScope {
  const isOwn = owner?.type === 'user' && owner.id === userIdOf(by.actor);
  return isOwn ? usage : narrowerScope(usage, usageReach(by, projectId));
}

/** Throws `not_found`, and `forbidden` as `demandMayManageKey` does. */
export async function deleteProjectKey(admin: Administration, projectId: string, id: string): Promise<void> {
  const project = await findProject(admin, projectId);
  await revokeKey(admin, { key: await findProjectKey(admin, projectId, id), project });
}

/** Revokes a key that was found, permanently. Throws `forbidden` as `demandMayManageKey` does. */
export async function revokeKey(admin: Administration, { key, project }: KeyInProject): Promise<void> {
  demandMayManageKey(admin.by, key);
  await change(admin, [revoking(admin, key.id)], {
    type: 'api_key.deleted',
    resourceId: key.id,
    project: project && nameOf(project),
    details: { before: { name: key.name }, ...(key.access === 'administration' && { access: key.access }) },
  });
}

/**
 * Creates an admin key, which cannot call models. It belongs to the person who creates it, even by key: a key without
 * an owner may do everything, and would outlive them.
 */
export async function createAdminKey(
  admin: Administration,
  { name, expiresAt }: { name: string; expiresAt: number | null },
): Promise<NewSecret> {
  const next = newKeyBy(admin, {
    access: 'administration',
    owner: personAtWork(admin.by),
    name,
    expiresAt,
    usage: usageFor(admin.by, null),
  });
  await change(admin, [adding(admin, next)], {
    type: 'api_key.created',
    resourceId: next.key.id,
    details: { data: { scopes: [] }, name, access: 'administration' },
  });
  return next;
}

export function listAdminKeys({ settings, by }: Administration, query: PageQuery): Promise<Page<ApiKey>> {
  return settings.keys(by.organizationId, { ...query, access: 'administration' });
}

export async function findAdminKey({ settings, by }: Administration, id: string): Promise<ApiKey> {
  const key = await settings.key(by.organizationId, id);
  if (key === null || key.access !== 'administration' || key.revokedAt !== null) return noSuch('admin key');
  return key;
}

/** Throws `not_found`, and `forbidden` as `demandMayManageKey` does. */
export async function deleteAdminKey(admin: Administration, id: string): Promise<void> {
  await revokeKey(admin, { key: await findAdminKey(admin, id), project: null });
}

function revoking({ clock }: Administration, id: string): SettingChange {
  return { revokeKeys: { of: 'id', id, at: clock.now() } };
}

/** An amount as text, because JSON numbers are too small. */
function shown(edit: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(edit, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}

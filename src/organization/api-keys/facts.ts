import type { ApiKey, KeyMaker, KeyOwner } from '../../core/records.ts';
import { utcDay } from '../../core/utc-day.ts';
import { type UsedKey, withUse } from '../../keys/keys.ts';
import type { Administration } from '../administration.ts';

/** A key with its use, owner and creator. */
export type KeyFacts = UsedKey & {
  /** The key's id. */
  id: string;
  owner: KeyOwnerFacts | null;
  /** Whether the owner is in the key's project; for a key without owner, whether it is valid at all. */
  isOwnerHere: boolean;
  /** The creator, as in `ApiKey.createdBy`; `null` if unknown. */
  maker: KeyMakerFacts | null;
  /** The time of these facts (Unix ms). */
  now: number;
};

/** `id`: `null` for the operator. `name`: `null` if nobody has the id any more. */
export type KeyMakerFacts = { type: KeyMaker['type']; id: string | null; name: string | null };

/** `createdAt` in Unix ms. */
export type KeyOwnerFacts = { id: string; name: string; role: string; createdAt: number } & (
  | { type: 'user'; email: string | null }
  | { type: 'service_account' }
);

export async function keyFacts(admin: Administration, key: ApiKey): Promise<KeyFacts> {
  const [facts] = await factsOf(admin, [key]);
  return facts!;
}

/** In the order of the keys. A hundred keys need as many reads of settings as one. */
export async function factsOf(admin: Administration, keys: readonly ApiKey[]): Promise<KeyFacts[]> {
  if (keys.length === 0) return [];
  const now = admin.clock.now();
  const [uses, ownerOf, makerOf] = await Promise.all([
    admin.keys.use(
      utcDay(now),
      keys.map(({ id }) => id),
    ),
    ownersOf(admin, keys),
    makersOf(admin, keys),
  ]);
  return withUse(keys, uses, now).map((used) => ({
    ...used,
    ...ownerOf(used.key),
    id: used.key.id,
    maker: makerOf(used.key),
    now,
  }));
}

/** @returns the creator of a key */
async function makersOf(
  { settings, by: { organizationId } }: Administration,
  keys: readonly ApiKey[],
): Promise<(key: ApiKey) => KeyMakerFacts | null> {
  const makers = keys.flatMap(({ createdBy }) =>
    createdBy === null || createdBy.type === 'operator' ? [] : [createdBy],
  );
  const idsOf = (type: KeyMaker['type']) =>
    distinct(makers.flatMap((maker) => (maker.type === type ? [maker.id] : [])));
  const [members, makerKeys] = await Promise.all([
    settings.all(organizationId, 'member', { ids: idsOf('user') }),
    settings.keysOfIds(organizationId, idsOf('api_key')),
  ]);
  const names = new Map<string, string | null>([
    ...members.map(({ id, value }) => [id, value.name ?? value.email] as const),
    ...makerKeys.map(({ id, name }) => [id, name] as const),
  ]);
  return ({ createdBy }) => {
    if (createdBy === null) return null;
    if (createdBy.type === 'operator') return { type: createdBy.type, id: null, name: null };
    return { ...createdBy, name: names.get(createdBy.id) ?? null };
  };
}

type OwnerHere = Pick<KeyFacts, 'owner' | 'isOwnerHere'>;

const NOBODY_HERE: OwnerHere = { owner: null, isOwnerHere: false };

/** @returns the owner of a key, and whether they are in its project */
async function ownersOf(admin: Administration, keys: readonly ApiKey[]): Promise<(key: ApiKey) => OwnerHere> {
  const [personOf, accountOf] = await Promise.all([peopleOf(admin, keys), accountsOf(admin, keys)]);
  return ({ owner, projectId }) => {
    if (owner === null) return { owner: null, isOwnerHere: true };
    return owner.type === 'service_account' ? accountOf(owner.id, projectId) : personOf(owner.id, projectId);
  };
}

type OwnerOf = (id: string, projectId: string | null) => OwnerHere;

async function accountsOf({ settings, by }: Administration, keys: readonly ApiKey[]): Promise<OwnerOf> {
  const ids = idsOfOwners(keys, 'service_account');
  const accounts =
    ids.length === 0
      ? []
      : await settings.all(by.organizationId, 'service_account', { ids, parentIds: projectsOf(keys) });
  const byPlace = new Map(accounts.map((account) => [`${account.parentId}/${account.id}`, account]));
  return (id, projectId) => {
    const account = byPlace.get(`${projectId}/${id}`);
    if (account === undefined) return NOBODY_HERE;
    const { value, createdAt } = account;
    const owner = { type: 'service_account', id, name: value.name, role: value.role, createdAt } as const;
    return { owner, isOwnerHere: true };
  };
}

async function peopleOf({ settings, by }: Administration, keys: readonly ApiKey[]): Promise<OwnerOf> {
  const { organizationId } = by;
  const ids = idsOfOwners(keys, 'user');
  if (ids.length === 0) return () => NOBODY_HERE;
  const parentIds = projectsOf(keys);
  const [members, ownPlaces, inGroups] = await Promise.all([
    settings.all(organizationId, 'member', { ids }),
    settings.all(organizationId, 'project_member', { ids, parentIds }),
    settings.all(organizationId, 'group_member', { ids }),
  ]);
  const groupIds = distinct(inGroups.map(({ parentId }) => parentId!));
  const ofGroups =
    groupIds.length === 0 ? [] : await settings.all(organizationId, 'project_group', { ids: groupIds, parentIds });
  const memberOf = new Map(members.map((member) => [member.id, member]));
  const ownPlaceOf = new Map(ownPlaces.map((place) => [`${place.parentId}/${place.id}`, place]));
  const groupsOf = Map.groupBy(inGroups, ({ id }) => id);
  const groupPlaces = new Set(ofGroups.map(({ parentId, id }) => `${parentId}/${id}`));
  return (id, projectId) => {
    const member = memberOf.get(id);
    if (member === undefined) return NOBODY_HERE;
    const { value, createdAt } = member;
    const own = ownPlaceOf.get(`${projectId}/${id}`);
    const isByGroup = () =>
      (groupsOf.get(id) ?? []).some(({ parentId }) => groupPlaces.has(`${projectId}/${parentId}`));
    return {
      owner: {
        type: 'user',
        id,
        name: value.name ?? value.email,
        email: value.email,
        role: own?.value.role ?? value.role,
        createdAt,
      },
      isOwnerHere: value.role === 'owner' || (projectId !== null && (own !== undefined || isByGroup())),
    };
  };
}

function idsOfOwners(keys: readonly ApiKey[], type: KeyOwner['type']): string[] {
  return distinct(keys.flatMap(({ owner }) => (owner?.type === type ? [owner.id] : [])));
}

function projectsOf(keys: readonly ApiKey[]): string[] {
  return distinct(keys.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

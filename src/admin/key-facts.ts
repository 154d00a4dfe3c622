import type { ApiKey, KeyMaker, KeyOwner } from '../core/records.ts';
import { utcDay } from '../core/utc-day.ts';
import { type UsedKey, withUse } from '../keys/keys.ts';
import type { Administration } from './administration.ts';
import { placeOfPerson } from './project-places.ts';

/** A key with what it has used, whose it is, and who has made it. */
export type KeyFacts = UsedKey & {
  /** The key's. */
  id: string;
  owner: KeyOwnerFacts | null;
  /** Whether the owner is in the key's project; of a key without one, whether it works at all. */
  isOwnerHere: boolean;
  /** Who has made it, as `ApiKey.createdBy` says; `null`: unknown. */
  maker: KeyMakerFacts | null;
  /** When this was so (Unix ms). */
  now: number;
};

/** `id`: `null` of the operator of the machine. `name`: `null` where there is nobody of that id any more. */
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

/** In the order of the keys. */
export async function factsOf(admin: Administration, keys: readonly ApiKey[]): Promise<KeyFacts[]> {
  if (keys.length === 0) return [];
  const now = admin.clock.now();
  const uses = await admin.keys.use(
    utcDay(now),
    keys.map(({ id }) => id),
  );
  const owners = new Map<string, Promise<{ owner: KeyOwnerFacts | null; isOwnerHere: boolean }>>();
  const makers = new Map<string, Promise<KeyMakerFacts>>();
  const facts = withUse(keys, uses, now).map(async (used) => {
    const { owner, projectId, createdBy } = used.key;
    const maker =
      createdBy === null ? null : await once(makers, JSON.stringify(createdBy), () => makerOf(admin, createdBy));
    if (owner === null) return { ...used, id: used.key.id, owner: null, isOwnerHere: true, maker, now };
    const known = await once(owners, `${projectId}/${owner.id}`, () => ownerOf(admin, owner, projectId));
    return { ...used, ...known, id: used.key.id, maker, now };
  });
  return Promise.all(facts);
}

/** What many keys have in common is read once. */
function once<Value>(known: Map<string, Promise<Value>>, name: string, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(name) ?? read();
  known.set(name, value);
  return value;
}

async function makerOf({ settings, by }: Administration, maker: KeyMaker): Promise<KeyMakerFacts> {
  if (maker.type === 'operator') return { type: maker.type, id: null, name: null };
  const { type, id } = maker;
  if (type === 'api_key') return { type, id, name: (await settings.key(by.organizationId, id))?.name ?? null };
  const member = await settings.find(by.organizationId, 'member', id);
  return { type, id, name: member === null ? null : (member.value.name ?? member.value.email) };
}

async function ownerOf(admin: Administration, { type, id }: KeyOwner, projectId: string | null) {
  const { settings, by } = admin;
  const { organizationId } = by;
  if (type === 'service_account') {
    const account = projectId === null ? null : await settings.find(organizationId, 'service_account', id, projectId);
    if (account === null) return { owner: null, isOwnerHere: false };
    const { value, createdAt } = account;
    return { owner: { type, id, name: value.name, role: value.role, createdAt } as const, isOwnerHere: true };
  }
  const member = await settings.find(organizationId, 'member', id);
  if (member === null) return { owner: null, isOwnerHere: false };
  const inProject = projectId === null ? null : await settings.find(organizationId, 'project_member', id, projectId);
  const { value, createdAt } = member;
  const owner = {
    type,
    id,
    name: value.name ?? value.email,
    email: value.email,
    role: inProject?.value.role ?? value.role,
    createdAt,
  };
  const isOwnerHere =
    projectId === null ? value.role === 'owner' : (await placeOfPerson(admin, projectId, id)) !== null;
  return { owner, isOwnerHere };
}

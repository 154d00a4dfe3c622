import type { ApiKey, KeyOwner } from '../core/records.ts';
import { utcDay } from '../core/utc-day.ts';
import { type UsedKey, withUse } from '../keys/keys.ts';
import type { Administration } from './administration.ts';
import { placeOfPerson } from './project-places.ts';

/** A key with what it has used, and whose it is. */
export type KeyFacts = UsedKey & {
  /** The key's. */
  id: string;
  owner: KeyOwnerFacts | null;
  /** Whether the owner is in the key's project; of a key without one, whether it works at all. */
  isOwnerHere: boolean;
  /** When this was so (Unix ms). */
  now: number;
};

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
  const facts = withUse(keys, uses, now).map(async (used) => {
    const { owner, projectId } = used.key;
    if (owner === null) return { ...used, id: used.key.id, owner: null, isOwnerHere: true, now };
    const name = `${projectId}/${owner.id}`;
    const known = owners.get(name) ?? ownerOf(admin, owner, projectId);
    owners.set(name, known);
    return { ...used, ...(await known), id: used.key.id, now };
  });
  return Promise.all(facts);
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

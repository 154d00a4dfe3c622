import { GatewayError } from '../core/errors.ts';
import type { KeyPage } from '../core/ports.ts';
import type { ApiKey, Organization } from '../core/records.ts';
import { defaultProjectId } from '../core/settings.ts';
import { editKey, type KeyEdit, listUsedKeys, type NewKey, revokeKey, rotateKey, type UsedKey } from '../keys/keys.ts';
import { adminPartsOf, change, tellOfKey, unchanged } from '../organization/administration.ts';
import { newKeyBy } from '../organization/api-keys/owners.ts';
import { ensureOrganizations, firstOrganization } from '../organization/organizations.ts';
import { listProducts } from '../organization/products/service.ts';
import { nameOf, openProject } from '../organization/projects/service.ts';
import { adding } from '../organization/service-accounts/service.ts';
import { auditedKeys, operatorAtWork, toldOfKey } from './administration.ts';
import { chooseKey } from './choose-key.ts';
import { checkOrganization, findOrganization } from './organizations.ts';
import type { Task, TaskServices } from './task.ts';

/** A key to create, without its owner and creator. */
export type WantedKey = Omit<NewKey, 'organizationId' | 'createdBy'>;

/** A created key. The secret is shown only here. */
export type MadeKey = { key: ApiKey; secret: string; owner: Organization };

/** The most keys of one page, so that calls do not wait for it. */
export const KEYS_AT_ONCE = 1000;

/** Keys of one or all organizations with their use, oldest first: at most `KEYS_AT_ONCE` after the key `after`. */
export const listKeysTask: Task<{ organizationId: string | null; after: KeyPage['after'] }, UsedKey[]> = {
  name: 'keys.list',
  ofNothing: () => [],
  async run({ storage, clock }, { organizationId, after }) {
    await checkOrganization(storage, organizationId);
    return listUsedKeys({ store: storage.keys, clock }, organizationId, { after, limit: KEYS_AT_ONCE });
  },
};

/** Creates a key for the named organization, or for the first. */
export const createKeyTask: Task<{ wanted: WantedKey; organizationId: string | null }, MadeKey> = {
  name: 'keys.create',
  async run(services, { wanted, organizationId }) {
    const { storage, keyParts, config } = services;
    await checkProduct(services, wanted.product ?? null);
    const { clock, ids } = await keyParts();
    const organizations = await ensureOrganizations({ store: storage.organizations, clock, ids }, config.organizations);
    const owner =
      organizationId === null ? firstOrganization(organizations) : findOrganization(organizations, organizationId);
    const admin = await operatorAtWork(services, owner.id);
    const project = await openProject(admin, wanted.projectId ?? defaultProjectId(owner.id));
    const made = newKeyBy(admin, wanted);
    // A project that is archived at the same time must not get a key that outlives it.
    await change(admin, [adding(admin, made), unchanged(project)], {
      type: 'api_key.created',
      resourceId: made.key.id,
      project: nameOf(project),
      details: toldOfKey(made.key, { changes_requested: wanted }),
    });
    return { ...made, owner };
  },
};

/** Each is `named` by the key's id, or by its name if no other valid key has it. */
export const editKeyTask: Task<{ named: string; edit: KeyEdit }, ApiKey> = {
  name: 'keys.edit',
  async run({ storage, keyParts }, { named, edit }) {
    const parts = await keyParts();
    const before = await keyNamed(storage, named);
    return editKey(await auditedKeys(parts, storage, before), before.id, edit);
  },
};

export const rotateKeyTask: Task<
  { named: string; overlapMs: number },
  { key: ApiKey; secret: string; earlierUntil: number }
> = {
  name: 'keys.rotate',
  async run({ storage, keyParts }, { named, overlapMs }) {
    const parts = await keyParts();
    const before = await keyNamed(storage, named);
    const rotated = await rotateKey(await auditedKeys(parts, storage, before), before.id, overlapMs);
    await tellOfKey(adminPartsOf(parts, storage), 'api_key.rotated', rotated.key);
    return rotated;
  },
};

export const revokeKeyTask: Task<{ named: string }, ApiKey> = {
  name: 'keys.revoke',
  async run({ storage, keyParts }, { named }) {
    const parts = await keyParts();
    const before = await keyNamed(storage, named);
    const key = await revokeKey(await auditedKeys(parts, storage, before), before.id);
    if (before.revokedAt === null) await tellOfKey(adminPartsOf(parts, storage), 'api_key.deleted', key);
    return key;
  },
};

async function keyNamed({ keys }: TaskServices['storage'], named: string): Promise<ApiKey> {
  return chooseKey(await keys.named(named), named);
}

/** A key of an unknown product could call nothing. */
async function checkProduct(services: TaskServices, product: string | null): Promise<void> {
  if (product === null) return;
  const products = await listProducts(await operatorAtWork(services, null), services.nameRules(services.storage));
  if (products.some(({ id }) => id === product)) return;
  const known = products.map(({ id }) => id).join(', ');
  const hint = known === '' ? 'there are no products (headgate products create)' : `the products are: ${known}`;
  throw new GatewayError('invalid_request', `There is no product ${product}; ${hint}.`, { param: 'product' });
}

import { GatewayError } from '../../core/errors.ts';
import type { ApiKey } from '../../core/records.ts';
import { defaultProjectId } from '../../core/settings.ts';
import { listUsedKeys, type UsedKey } from '../../keys/keys.ts';
import { type Administration, invalid } from '../administration.ts';
import { createProjectKey, type KeyInProject, type NewProjectKey } from '../api-keys/service.ts';
import type { NewSecret } from '../service-accounts/service.ts';
import { chooseKey } from './choose-key.ts';

/** Keys with their use, oldest first, including revoked ones. `organizationId`: `null` for all. */
export async function listKeys(
  { keys, clock }: Pick<Administration, 'keys' | 'clock'>,
  organizationId: string | null,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ items: UsedKey[]; hasMore: boolean }> {
  const last = after === undefined ? null : await keys.get(after);
  if (after !== undefined && last === null) throw invalid('after', 'is not the id of a key');
  const place = last && { id: last.id, createdAt: last.createdAt };
  const found = await listUsedKeys({ store: keys, clock }, organizationId, { after: place, limit: limit + 1 });
  return { items: found.slice(0, limit), hasMore: found.length > limit };
}

/** Creates a key of any source in a project (default: the default project). Throws as `createProjectKey` does. */
export function createKey(
  admin: Administration,
  { projectId, ...wanted }: NewProjectKey & { projectId: string | undefined },
): Promise<NewSecret> {
  return createProjectKey(admin, projectId ?? defaultProjectId(admin.by.organizationId), wanted);
}

/** The key with this id, else the valid one with this name, of any organization. Throws as `chooseKey` does. */
export async function keyNamed({ keys }: Pick<Administration, 'keys'>, named: string): Promise<ApiKey> {
  return chooseKey(await keys.named(named), named);
}

/** A key as `keyNamed` finds it, to change it in its organization. Throws for a revoked key, which cannot be changed. */
export async function changeableKey(
  admin: Administration,
  named: string,
): Promise<{ admin: Administration; found: KeyInProject }> {
  const key = await keyNamed(admin, named);
  if (key.revokedAt !== null) throw invalid('id', 'names a revoked key, which cannot be changed');
  const { organizationId, projectId } = key;
  const project = projectId === null ? null : await admin.settings.find(organizationId, 'project', projectId);
  return { admin: { ...admin, by: { ...admin.by, organizationId } }, found: { key, project } };
}

/** Throws `invalid_request` for an unknown product: its key could call nothing. */
export function checkProduct(products: readonly { id: string }[], product: string | null): void {
  if (product === null || products.some(({ id }) => id === product)) return;
  const known = products.map(({ id }) => id).join(', ');
  const hint = known === '' ? 'there are no products (headgate products create)' : `the products are: ${known}`;
  throw new GatewayError('invalid_request', `There is no product ${product}; ${hint}.`, { param: 'product' });
}

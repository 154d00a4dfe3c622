import { userIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { ApiKey, KeyMaker, KeyOwner } from '../core/records.ts';
import { type NewKey, newKeyOf } from '../keys/keys.ts';
import type { Administration, Administrator } from './administration.ts';
import { isOwner } from './permitted.ts';
import type { NewSecret } from './service-accounts.ts';

/** Whose a key is that nobody else is named for: the person's who has it made, themselves or by a key of theirs. */
export function personAtWork({ actor }: Administrator): KeyOwner | null {
  const id = userIdOf(actor);
  return id === null ? null : { type: 'user', id };
}

function makerOf({ actor }: Administrator): KeyMaker {
  if (actor.type === 'operator') return { type: 'operator' };
  if (actor.type === 'api_key' && actor.userId === null) return { type: 'api_key', id: actor.keyId };
  return { type: 'user', id: actor.userId! };
}

/** A key that an administrator makes, and its secret, kept nowhere yet. Throws as `createKey` does. */
export function newKeyBy(
  admin: Pick<Administration, 'clock' | 'ids' | 'random' | 'by'>,
  wanted: Omit<NewKey, 'organizationId' | 'createdBy'>,
): NewSecret {
  return newKeyOf(admin, { ...wanted, organizationId: admin.by.organizationId, createdBy: makerOf(admin.by) });
}

/** What of a key says who may make, change and end it. */
export type KeyInQuestion = Pick<ApiKey, 'owner' | 'product' | 'admin' | 'access'>;

/**
 * Throws `forbidden` where an administrator may neither make such a key, nor change it, rotate it, turn it off or end it. Beside
 * the permission that the operation itself asks for,
 *
 * - a key of their own needs nothing more;
 * - a key of a product needs `api.products.write`, since it calls the product's routes, and stands for the product;
 * - a key that administers is for owners, since it may do what they may;
 * - any other key (of another person, of a service account, of nobody) needs `api.members.write` in its project.
 *
 * @param param - the field of the request that says whose key it is; `null` where the request names the key itself
 */
export function demandMayManageKey(by: Administrator, key: KeyInQuestion, param: string | null = null): void {
  const { permissions, project } = by;
  const isOwn = key.owner?.type === 'user' && key.owner.id === userIdOf(by.actor);
  if (key.admin || (key.access === 'administration' && !isOwn)) {
    if (isOwner(by)) return;
    throw new GatewayError('forbidden', 'This key administers the organization: only an owner changes or ends it.');
  }
  if (key.product !== null) {
    if (permissions.has('api.products.write')) return;
    const why = 'This key is a product’s: whoever changes or ends it needs the permission `api.products.write`.';
    throw new GatewayError('forbidden', why, { param });
  }
  if (isOwn || permissions.has('api.members.write') || project?.permissions.has('api.members.write')) return;
  const why = 'A key that is not your own is made, changed and ended with the permission `api.members.write`.';
  throw new GatewayError('forbidden', why, { param });
}

import type { Administrator } from '../../core/administrator.ts';
import { userIdOf } from '../../core/audit.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ApiKey, KeyMaker, KeyOwner } from '../../core/records.ts';
import { type NewKey, newKeyOf } from '../../keys/keys.ts';
import type { Administration } from '../administration.ts';
import { isOwner } from '../permissions.ts';
import type { NewSecret } from '../service-accounts/service.ts';

/** The default owner of a key: the person who creates it, signed in or by key. */
export function personAtWork({ actor }: Administrator): KeyOwner | null {
  const id = userIdOf(actor);
  return id === null ? null : { type: 'user', id };
}

function makerOf({ actor }: Administrator): KeyMaker {
  if (actor.type === 'operator') return { type: 'operator' };
  if (actor.type === 'api_key' && actor.userId === null) return { type: 'api_key', id: actor.keyId };
  return { type: 'user', id: actor.userId! };
}

/** A new key and its secret, not stored yet. Throws as `createKey` does. */
export function newKeyBy(
  admin: Pick<Administration, 'clock' | 'ids' | 'random' | 'by'>,
  wanted: Omit<NewKey, 'organizationId' | 'createdBy'>,
): NewSecret {
  return newKeyOf(admin, { ...wanted, organizationId: admin.by.organizationId, createdBy: makerOf(admin.by) });
}

/** The facts of a key that decide who may create, change and end it. */
export type KeyInQuestion = Pick<ApiKey, 'owner' | 'product' | 'admin' | 'access'>;

/**
 * Throws `forbidden` if an administrator may not create, change, rotate, disable or end such a key. In addition to the
 * operation's own permission,
 *
 * - a key of their own needs nothing;
 * - a key of a product needs `api.products.write`, because it calls the product's routes in its name;
 * - an admin key needs an owner, because it has an owner's permissions;
 * - any other key (of another person, a service account, nobody) needs `api.members.write` in its project.
 *
 * @param param - the field of the request with the owner; `null` if the request names the key itself
 */
export function demandMayManageKey(by: Administrator, key: KeyInQuestion, param: string | null = null): void {
  const { permissions, project } = by;
  const isOwn = key.owner?.type === 'user' && key.owner.id === userIdOf(by.actor);
  if (key.admin || (key.access === 'administration' && !isOwn)) {
    if (isOwner(by)) return;
    throw new GatewayError('forbidden', 'This is an admin key. Only an owner can change or end it.');
  }
  if (key.product !== null) {
    if (permissions.has('api.products.write')) return;
    const why = 'This key belongs to a product. Changing or ending it needs the permission `api.products.write`.';
    throw new GatewayError('forbidden', why, { param });
  }
  if (isOwn || permissions.has('api.members.write') || project?.permissions.has('api.members.write')) return;
  const why = 'Creating, changing or ending a key that is not your own needs the permission `api.members.write`.';
  throw new GatewayError('forbidden', why, { param });
}

import { GatewayError } from '../../core/errors.ts';
import type { ApiKey } from '../../core/records.ts';

/** The most ids of matching keys that a message lists. */
const NAMED_IDS = 10;

/**
 * The key with this id, else the valid key with this name. Revoked keys of the same name do not count. Throws
 * `not_found` if none or several match.
 */
export function chooseKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const byId = keys.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const named = keys.filter(({ name }) => name === wanted);
  const valid = named.filter(({ revokedAt }) => revokedAt === null);
  if (valid.length > 1) {
    const ids = valid.slice(0, NAMED_IDS).map(({ id }) => id);
    const more = valid.length > NAMED_IDS ? ', …' : '';
    throw new GatewayError('not_found', `${valid.length} keys have this name. Use the id: ${ids.join(', ')}${more}`);
  }
  const only = valid[0] ?? named.at(-1);
  // The argument is not repeated, because it may be a secret that was pasted by mistake.
  if (only === undefined) {
    throw new GatewayError('not_found', 'There is no API key with this id or name. List the keys: headgate keys list');
  }
  return only;
}

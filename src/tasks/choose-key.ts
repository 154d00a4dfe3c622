import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/records.ts';

/** So many of the keys that may be meant are told. */
const NAMED_IDS = 10;

/**
 * The key of this id, else of this name; of several of one name those that are revoked already do not count. Throws
 * `not_found` where there is none, or several are meant.
 */
export function chooseKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const byId = keys.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const named = keys.filter(({ name }) => name === wanted);
  const valid = named.filter(({ revokedAt }) => revokedAt === null);
  if (valid.length > 1) {
    const ids = valid.slice(0, NAMED_IDS).map(({ id }) => id);
    const more = valid.length > NAMED_IDS ? ', …' : '';
    throw new GatewayError(
      'not_found',
      `${valid.length} keys have this name; name one by its id: ${ids.join(', ')}${more}`,
    );
  }
  const only = valid[0] ?? named.at(-1);
  // What was asked for is not repeated: it may be a secret, pasted by mistake.
  if (only === undefined) {
    throw new GatewayError('not_found', 'There is no API key with this id or name. All of them: headgate keys list');
  }
  return only;
}

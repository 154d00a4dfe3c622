import type { ApiKey } from '../../core/records.ts';
import { OperatorError } from '../failure.ts';

/** The key of this id, else of this name; of several of one name those that are revoked already do not count. */
export function chooseKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const byId = keys.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const named = keys.filter(({ name }) => name === wanted);
  const valid = named.filter(({ revokedAt }) => revokedAt === null);
  if (valid.length > 1) {
    throw new OperatorError(
      `${valid.length} keys have this name; name one by its id: ${valid.map(({ id }) => id).join(', ')}`,
    );
  }
  const only = valid[0] ?? named.at(-1);
  if (only === undefined) throw noSuchKey();
  return only;
}

/** What was asked for is not repeated: it may be a secret, pasted by mistake. */
export function noSuchKey(): OperatorError {
  return new OperatorError('There is no API key with this id or name. All of them: headgate keys list');
}

import type { ApiKey } from '../../core/records.ts';
import { revokeKey } from '../../keys/keys.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../failure.ts';
import { demandData, readData } from '../stored.ts';
import { keyJson } from './show.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  about: 'Revoke an API key for good.',
  details: 'Every gateway on the same data refuses it within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'Its id, or its name where no other valid key has that name.', required: true },
  options: {},
  examples: ['headgate keys revoke key_01ABCDEF', 'headgate keys revoke ci'],
  async run({ argument = '', where, tools }) {
    const setup = tools.readSetup(where);
    demandData(setup);
    const { kept: key } = await readData(tools, setup, async (storage) => {
      const { id } = chooseKey(await storage.keys.list(null), argument);
      return revokeKey({ store: storage.keys, clock: tools.clock }, id);
    });
    if (key === undefined) throw noSuchKey();
    return {
      text: `Key ${key.id} (${key.name}) is revoked: every call with it is refused within a second.`,
      json: keyJson(key),
    };
  },
};

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
function noSuchKey(): OperatorError {
  return new OperatorError('There is no API key with this id or name. All of them: headgate keys list');
}

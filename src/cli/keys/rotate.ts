import { DURATION } from '../../config/units.ts';
import { rotateKeyTask } from '../../tasks/keys.ts';
import type { Command } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { unixSeconds } from '../phrases.ts';
import { oldSecretText, secretText } from './secret-text.ts';
import { keyJson } from './show.ts';
import { KEY_OPTION_OF } from './wanted.ts';

const DEFAULT_OVERLAP = '24h';

export const keysRotate: Command = {
  name: 'keys rotate',
  about: 'Give an API key another secret, and show it, this once.',
  details:
    'The key keeps its id, its limits and its usage. The secret that it has goes on for a while;\n' +
    'with --overlap 0s it and all before it end within a second.',
  argument: { value: 'ID', about: 'Its id, or its name where no other valid key has that name.', required: true },
  options: {
    overlap: { value: 'WHILE', about: `How long the old secret goes on, 0s to 90d; left out, ${DEFAULT_OVERLAP}.` },
  },
  examples: ['headgate keys rotate ci', 'headgate keys rotate ci --overlap 7d', 'headgate keys rotate ci --overlap 0s'],
  async run({ argument = '', values: { overlap = DEFAULT_OVERLAP }, where, tools }) {
    const overlapMs = whileOf(overlap);
    const setup = tools.readSetup(where);
    const input = { named: argument, overlapMs };
    const { key, secret, earlierUntil } = (
      await inOptionsOf(KEY_OPTION_OF, perform(tools, setup, rotateKeyTask, input))
    ).answer;
    return {
      text: secretText(
        `Key ${key.id} (${key.name}) has another secret, shown only this once. ${oldSecretText(overlapMs, earlierUntil)}`,
        secret,
      ),
      json: { ...keyJson(key), key: secret, earlier_until: unixSeconds(earlierUntil) },
    };
  },
};

/** The ms of a while; throws a `UsageError` that names `--overlap`. */
export function whileOf(text: string): number {
  const read = /[a-z]$/.test(text) || text === '0' ? DURATION.parse(text) : null;
  if (read === null) throw new UsageError('--overlap must be a while such as 24h, 7d or 0s.');
  return read;
}

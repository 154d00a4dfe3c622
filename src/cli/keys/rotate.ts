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
  about: 'Replace the secret of an API key and show the new one once.',
  details:
    'The key keeps its id, limits and usage. The old secret stays valid for a while;\n' +
    'with --overlap 0s it and all earlier ones end within a second.',
  argument: { value: 'ID', about: 'Key id, or its name if no other valid key has it.', required: true },
  options: {
    overlap: { value: 'WHILE', about: `How long the old secret stays valid, 0s to 90d (default: ${DEFAULT_OVERLAP}).` },
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
        `Key ${key.id} (${key.name}) has a new secret, shown only once. ${oldSecretText(overlapMs, earlierUntil)}`,
        secret,
      ),
      json: { ...keyJson(key), key: secret, earlier_until: unixSeconds(earlierUntil) },
    };
  },
};

/** A duration in ms. Throws a `UsageError` that names `--overlap`. */
export function whileOf(text: string): number {
  const read = /[a-z]$/.test(text) || text === '0' ? DURATION.parse(text) : null;
  if (read === null) throw new UsageError('--overlap must be a duration such as 24h, 7d or 0s.');
  return read;
}

import { DURATION } from '../../config/units.ts';
import type { Command } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { pathOfKey, type ShownKey } from './api-keys.ts';
import { oldSecretText, secretText } from './secret-text.ts';
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
  async run({ argument = '', values: { overlap = DEFAULT_OVERLAP }, api }) {
    const overlapMs = whileOf(overlap);
    const body = { overlap_seconds: Math.ceil(overlapMs / 1000) };
    const asked = api.post<ShownKey & { key: string; earlier_until: number }>(`${pathOfKey(argument)}/rotate`, body);
    const json = await inOptionsOf(KEY_OPTION_OF, asked);
    const told = oldSecretText(overlapMs, json.earlier_until * 1000);
    return {
      text: secretText(`Key ${json.id} (${json.name}) has a new secret, shown only once. ${told}`, json.key),
      json,
    };
  },
};

/** A duration in ms. Throws a `UsageError` that names `--overlap`. */
export function whileOf(text: string): number {
  const read = /[a-z]$/.test(text) || text === '0' ? DURATION.parse(text) : null;
  if (read === null) throw new UsageError('--overlap must be a duration such as 24h, 7d or 0s.');
  return read;
}

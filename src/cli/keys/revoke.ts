import type { Command } from '../command.ts';
import { pathOfKey, type ShownKey } from './api-keys.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  about: 'Revoke an API key permanently.',
  details: 'All gateways on the same data refuse it within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'Key id, or its name if no other valid key has it.', required: true },
  options: {},
  examples: ['headgate keys revoke key_01ABCDEF', 'headgate keys revoke ci'],
  async run({ argument = '', api }) {
    const json = await api.remove<ShownKey>(pathOfKey(argument));
    return { text: `Key ${json.id} (${json.name}) is revoked. Calls with it are refused within a second.`, json };
  },
};

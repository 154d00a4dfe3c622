import { revokeKeyTask } from '../../tasks/keys.ts';
import type { Command } from '../command.ts';
import { perform } from '../perform.ts';
import { keyJson } from './show.ts';

export const keysRevoke: Command = {
  name: 'keys revoke',
  about: 'Revoke an API key permanently.',
  details: 'All gateways on the same data refuse it within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'Key id, or its name if no other valid key has it.', required: true },
  options: {},
  examples: ['headgate keys revoke key_01ABCDEF', 'headgate keys revoke ci'],
  async run({ argument = '', where, tools }) {
    const { answer: key } = await perform(tools, tools.readSetup(where), revokeKeyTask, { named: argument });
    return {
      text: `Key ${key.id} (${key.name}) is revoked. Calls with it are refused within a second.`,
      json: keyJson(key),
    };
  },
};

import { createKeyTask } from '../../tasks/keys.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { perform } from '../perform.ts';
import { unknownModels } from '../unknown-models.ts';
import { secretText } from './secret-text.ts';
import { keyJson } from './show.ts';
import { KEY_OPTION_OF, KEY_OPTIONS, wantedKey } from './wanted.ts';

export const keysCreate: Command = {
  name: 'keys create',
  about: 'Create an API key and show it once.',
  details: 'A running gateway on this data creates it and accepts it at once.',
  options: KEY_OPTIONS,
  examples: [
    'headgate keys create --name ci --expires 90d',
    'headgate keys create --name desk --product helpdesk',
    'headgate keys create --name chat --models gpt-4o-mini,echo --spend-limit 25/month --json',
  ],
  async run({ values, flags, where, tools }) {
    const wanted = { ...wantedKey(values, tools.clock.now()), admin: flags.has('admin') };
    const setup = tools.readSetup(where);
    const input = { wanted, organizationId: values.organization ?? null };
    const { key, secret, owner } = (await inOptionsOf(KEY_OPTION_OF, perform(tools, setup, createKeyTask, input)))
      .answer;
    return {
      text: secretText(`Key ${key.id} (${key.name}) of the organization ${owner.name}, shown only once:`, secret),
      json: { ...keyJson(key), key: secret },
      notes: await unknownModels(tools, setup, { names: key.allowedModels ?? [], outcome: 'the key may use it' }),
    };
  },
};

import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { unknownModels } from '../unknown-models.ts';
import { API_KEYS, type MadeKey } from './api-keys.ts';
import { secretText } from './secret-text.ts';
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
  async run({ values, flags, tools, api }) {
    const wanted = { ...wantedKey(values, tools.clock.now()), admin: flags.has('admin') };
    const json = await inOptionsOf(KEY_OPTION_OF, api.post<MadeKey>(API_KEYS, wanted));
    const { id, name, organization_name: owner, key, allowed_models: names } = json;
    return {
      text: secretText(`Key ${id} (${name}) of the organization ${owner}, shown only once:`, key),
      json,
      notes: await unknownModels(api, { names: names ?? [], outcome: 'the key may use it' }),
    };
  },
};

import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { unknownModels } from '../unknown-models.ts';
import { pathOfKey, type ShownKey } from './api-keys.ts';
import { limitsText, stateText } from './show.ts';
import { EDIT_OPTIONS, KEY_OPTION_OF, wantedEdit } from './wanted.ts';

export const keysEdit: Command = {
  name: 'keys edit',
  about: 'Change an API key: name, models, limits, expiry, usage scope; turn it off or on.',
  details: 'Options that are left out change nothing. All gateways on the same data apply the change within a second.',
  argument: { value: 'ID', about: 'Key id, or its name if no other valid key has it.', required: true },
  options: EDIT_OPTIONS,
  examples: [
    'headgate keys edit ci --spend-limit 50/month',
    'headgate keys edit ci --off',
    'headgate keys edit chat --models gpt-4o-mini,echo --expires none',
  ],
  async run({ argument = '', values, flags, tools, api }) {
    const now = tools.clock.now();
    const edit = wantedEdit(values, flags, now);
    const json = await inOptionsOf(KEY_OPTION_OF, api.post<ShownKey>(pathOfKey(argument), edit));
    const { id, name } = json;
    const names = edit.allowed_models ?? [];
    return {
      text: `Key ${id} (${name}): ${stateText(json, now)}; limits: ${limitsText(json)}. In force within a second.`,
      json,
      notes: await unknownModels(api, { names, outcome: 'the key may use it' }),
    };
  },
};

import { editKeyTask } from '../../tasks/keys.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { perform } from '../perform.ts';
import { unknownModels } from '../unknown-models.ts';
import { keyJson, limitsText, stateText } from './show.ts';
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
  async run({ argument = '', values, flags, where, tools }) {
    const setup = tools.readSetup(where);
    const now = tools.clock.now();
    const edit = wantedEdit(values, flags, now);
    const { answer: key } = await inOptionsOf(
      KEY_OPTION_OF,
      perform(tools, setup, editKeyTask, { named: argument, edit }),
    );
    return {
      text: `Key ${key.id} (${key.name}): ${stateText(key, now)}; limits: ${limitsText(key)}. In force within a second.`,
      json: keyJson(key),
      notes: await unknownModels(tools, setup, { names: edit.allowedModels ?? [], outcome: 'the key may use it' }),
    };
  },
};

import { addProviderKeyTask, editProviderKeyTask, removeProviderKeyTask } from '../../tasks/providers.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';

/** A key on the command line would be in the shell's history, and in the list of processes. */
export const KEY_OPTION = {
  'key-env': { value: 'VARIABLE', about: 'The environment variable, or the one of .env, that holds its key.' },
} as const;

/** The key that `--key-env` names; `null` where none is named. */
export function keyIn({ values, tools, where }: CommandCall): string | null {
  const name = values['key-env'];
  if (name === undefined) return null;
  const key = tools.readSetup(where).env[name]?.trim() ?? '';
  if (key === '') throw new UsageError(`The variable ${name}, which --key-env names, is not set.`);
  if (!/^[!-~]+$/.test(key)) throw new UsageError(`The variable ${name} has characters that no key has.`);
  return key;
}

const PROVIDER = { value: 'PROVIDER', about: 'The provider’s id.', required: true } as const;

/** Which option sets a field of a provider's key. */
const OPTION_OF = {
  provider_id: 'PROVIDER',
  credential_id: 'NAME',
  name: '--name',
  key: '--key-env',
  weight: '--weight',
};

const KEY_NAME = { value: 'NAME', about: 'The key’s name, or its id.', required: true } as const;

export const providerKeysAdd: Command = {
  name: 'provider-keys add',
  about: 'Give a provider another key.',
  argument: PROVIDER,
  options: {
    name: { value: 'NAME', about: 'What targets of routes call it.', required: true },
    'key-env': { ...KEY_OPTION['key-env'], required: true },
    weight: { value: 'NUMBER', about: 'Its share of the calls beside the others; left out, 1.' },
  },
  examples: ['headgate provider-keys add openai --name second --key-env OPENAI_KEY_2 --weight 2'],
  async run(call) {
    const { argument: providerId = '', values, where, tools } = call;
    const { name = '', weight = '1' } = values;
    const given = { name: nameIn(name), weight: weightIn(weight), key: keyIn(call)! };
    const input = { providerId, given };
    const work = perform(tools, tools.readSetup(where), addProviderKeyTask, input);
    const { answer } = await inOptionsOf(OPTION_OF, work);
    return { text: `Provider ${providerId} has the key ${name} (…${answer.hint}).`, json: { ...answer, name } };
  },
};

export const providerKeysEdit: Command = {
  name: 'provider-keys edit',
  about: 'Change a key of a provider: its name, its share of the calls, or the key itself.',
  details: 'Calls that begin within the next second may still go by what was. What is left out stays as it is.',
  argument: PROVIDER,
  second: KEY_NAME,
  options: {
    name: { value: 'NEW', about: 'What targets of routes are to call it.' },
    weight: { value: 'NUMBER', about: 'Its share of the calls beside the others; 0: only where a target names it.' },
    ...KEY_OPTION,
  },
  examples: [
    'headgate provider-keys edit openai second --weight 0',
    'headgate provider-keys edit openai second --key-env OPENAI_KEY_3',
  ],
  async run(call) {
    const { argument: providerId = '', second: named = '', values, where, tools } = call;
    const { name, weight } = values;
    const key = keyIn(call);
    if (name === undefined && weight === undefined && key === null)
      throw new UsageError('Say what is to be otherwise: --name, --weight or --key-env.');
    const edit = {
      ...(name !== undefined && { name: nameIn(name) }),
      ...(weight !== undefined && { weight: weightIn(weight) }),
      ...(key !== null && { key }),
    };
    const input = { providerId, named, edit };
    const work = perform(tools, tools.readSetup(where), editProviderKeyTask, input);
    const { answer } = await inOptionsOf(OPTION_OF, work);
    const ending = answer.hint === '' ? '' : ` (…${answer.hint})`;
    return {
      text: `Provider ${providerId} has the key ${answer.name}${ending} with the weight ${answer.weight}.`,
      json: answer,
    };
  },
};

function nameIn(name: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  throw new UsageError('--name must be letters, digits, “.”, “_” and “-” (at most 64).');
}

function weightIn(weight: string): number {
  if (/^\d{1,7}$/.test(weight) && Number(weight) <= 1_000_000) return Number(weight);
  throw new UsageError('--weight must be a whole number from 0 to 1000000.');
}

export const providerKeysRemove: Command = {
  name: 'provider-keys remove',
  about: 'Take a key away from a provider.',
  argument: PROVIDER,
  second: KEY_NAME,
  options: {},
  examples: ['headgate provider-keys remove openai second'],
  async run({ argument: providerId = '', second: named = '', where, tools }) {
    const work = perform(tools, tools.readSetup(where), removeProviderKeyTask, { providerId, named });
    await inOptionsOf(OPTION_OF, work);
    return { text: `Provider ${providerId} has no key ${named} any more.`, json: { name: named, deleted: true } };
  },
};

import { type Api, at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';

/** Keys are not accepted as arguments, which end up in the shell's history and the list of processes. */
export const KEY_OPTION = {
  'key-env': { value: 'VARIABLE', about: 'Variable of the environment or of .env with the key.' },
} as const;

/** The key in the variable of `--key-env`; `null` without the option. */
export function keyIn({ values, api }: CommandCall): string | null {
  const name = values['key-env'];
  if (name === undefined) return null;
  const key = api.setup.env[name]?.trim() ?? '';
  if (key === '') throw new UsageError(`The variable ${name} of --key-env is not set.`);
  if (!/^[!-~]+$/.test(key)) throw new UsageError(`The variable ${name} has characters that a key cannot have.`);
  return key;
}

const PROVIDER = { value: 'PROVIDER', about: 'The provider’s id.', required: true } as const;

type Credential = { id: string | null; name: string; weight: number; hint: string };

/** The option of each field of a provider's key. */
const OPTION_OF = {
  provider_id: 'PROVIDER',
  credential_id: 'NAME',
  name: '--name',
  key: '--key-env',
  weight: '--weight',
};

const KEY_NAME = { value: 'NAME', about: 'Key name or id.', required: true } as const;

export const providerKeysAdd: Command = {
  name: 'provider-keys add',
  about: 'Add a key to a provider.',
  argument: PROVIDER,
  options: {
    name: { value: 'NAME', about: 'Name for targets of routes.', required: true },
    'key-env': { ...KEY_OPTION['key-env'], required: true },
    weight: { value: 'NUMBER', about: 'Its share of the calls (default: 1).' },
  },
  examples: ['headgate provider-keys add openai --name second --key-env OPENAI_KEY_2 --weight 2'],
  async run(call) {
    const { argument: providerId = '', values, api } = call;
    const { name = '', weight = '1' } = values;
    const given = { name: nameIn(name), weight: weightIn(weight), key: keyIn(call)! };
    const adding = api.post<Credential>(at`/v1/organization/providers/${providerId}/credentials`, given);
    const json = await inOptionsOf(OPTION_OF, adding);
    return { text: `Provider ${providerId} has the key ${name} (…${json.hint}).`, json };
  },
};

export const providerKeysEdit: Command = {
  name: 'provider-keys edit',
  about: 'Change a provider’s key: its name, its share of the calls, or the key itself.',
  details: 'Calls in the next second may still use the old values. Options that are left out change nothing.',
  argument: PROVIDER,
  second: KEY_NAME,
  options: {
    name: { value: 'NEW', about: 'New name for targets of routes.' },
    weight: { value: 'NUMBER', about: 'Its share of the calls; with 0, only targets that name it use it.' },
    ...KEY_OPTION,
  },
  examples: [
    'headgate provider-keys edit openai second --weight 0',
    'headgate provider-keys edit openai second --key-env OPENAI_KEY_3',
  ],
  async run(call) {
    const { argument: providerId = '', second: named = '', values, api } = call;
    const { name, weight } = values;
    const key = keyIn(call);
    if (name === undefined && weight === undefined && key === null)
      throw new UsageError('Name a change: --name, --weight or --key-env.');
    const edit = {
      ...(name !== undefined && { name: nameIn(name) }),
      ...(weight !== undefined && { weight: weightIn(weight) }),
      ...(key !== null && { key }),
    };
    const path = await pathOf(api, providerId, named);
    const json = await inOptionsOf(OPTION_OF, api.post<Credential>(path, edit));
    const ending = json.hint === '' ? '' : ` (…${json.hint})`;
    return { text: `Provider ${providerId} has the key ${json.name}${ending} with the weight ${json.weight}.`, json };
  },
};

/** The path of a key, by its name, which is unique in its provider, or its id. */
async function pathOf(api: Api, providerId: string, named: string): Promise<string> {
  const reading = api.get<{ credentials: readonly Credential[] }>(at`/v1/organization/providers/${providerId}`);
  const { credentials } = await inOptionsOf(OPTION_OF, reading);
  const id = credentials.find(({ name }) => name === named)?.id ?? named;
  return at`/v1/organization/providers/${providerId}/credentials/${id}`;
}

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
  about: 'Remove a key from a provider.',
  argument: PROVIDER,
  second: KEY_NAME,
  options: {},
  examples: ['headgate provider-keys remove openai second'],
  async run({ argument: providerId = '', second: named = '', api }) {
    const path = await pathOf(api, providerId, named);
    const json = await inOptionsOf(OPTION_OF, api.remove(path));
    return { text: `The key ${named} was removed from provider ${providerId}.`, json };
  },
};

import { at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { FAILED, inOptionsOf, UsageError } from '../failure.ts';
import { countText } from '../phrases.ts';
import { table } from '../table.ts';
import { KEY_OPTION, keyIn } from './provider-keys.ts';
import { placeOf, type SettingPlace } from './set-in.ts';

const DEFINITION = {
  preset: { value: 'VENDOR', about: 'Vendor preset (default: the one with the same id).' },
  'base-url': { value: 'URL', about: 'Where it is, for one that no preset knows: over https, and public.' },
  label: { value: 'NAME', about: 'Display name.' },
} as const;

const PROVIDERS = '/v1/organization/providers';

type ProviderLine = {
  id: string;
  label: string;
  base_url: string;
  off: string | null;
  origin: string;
  set_in: SettingPlace;
  credentials: readonly { name: string; hint: string }[];
};
type Tested = {
  ok: boolean;
  models: number | null;
  key: keyof typeof KEY_WORDS;
  error: string | null;
  took_ms: number;
};
type Rewrapped = { credentials: number; is_given: boolean };

/** The option of each field of a provider. */
const OPTION_OF = {
  id: 'ID',
  provider_id: 'ID',
  preset: '--preset',
  base_url: '--base-url',
  label: '--label',
  key: '--key-env',
  credentials: '--key-env',
};

export const providersList: Command = {
  name: 'providers list',
  about: 'List the providers of the configuration file and of the settings.',
  options: {},
  examples: ['headgate providers list'],
  async run({ api }) {
    const { data } = await api.list<ProviderLine>(PROVIDERS);
    const columns = [
      { title: 'ID', of: ({ id }: ProviderLine) => id },
      { title: 'ADDRESS', of: (each: ProviderLine) => each.base_url },
      { title: 'KEYS', of: keysOf },
      {
        title: 'SET IN',
        of: ({ origin, set_in: place }: ProviderLine) =>
          origin === 'environment' ? 'the environment' : placeOf(place),
      },
      { title: 'STATE', of: ({ off }: ProviderLine) => (off === null ? 'on' : `off: ${off}`) },
    ];
    const none = 'No providers yet. Add one: headgate providers add openai --key-env OPENAI_API_KEY';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

export const providersAdd: Command = {
  name: 'providers add',
  about: 'Add a provider. Its models can be called within a second.',
  argument: { value: 'ID', about: 'Provider id, used as `ID/model`.', required: true },
  options: { ...DEFINITION, ...KEY_OPTION },
  examples: [
    'headgate providers add mistral --key-env MISTRAL_API_KEY',
    'headgate providers add lab --base-url https://llm.example.com/v1 --key-env LAB_KEY',
  ],
  async run(call) {
    const { argument: id = '', api } = call;
    const key = keyIn(call);
    const wanted = { id, ...definitionOf(call), ...(key !== null && { credentials: [{ key }] }) };
    const json = await inOptionsOf(OPTION_OF, api.post<ProviderLine>(PROVIDERS, wanted));
    const off = json.off === null ? '' : ` It is off: ${json.off}.`;
    const text = `Provider ${id} (${json.label}) is at ${json.base_url}.${off} Test it: headgate providers test ${id}`;
    return { text, json };
  },
};

export const providersRemove: Command = {
  name: 'providers remove',
  about: 'Remove a provider from the settings, with its keys.',
  argument: { value: 'ID', about: 'The provider.', required: true },
  options: {},
  examples: ['headgate providers remove lab'],
  async run({ argument: id = '', api }) {
    const json = await inOptionsOf(OPTION_OF, api.remove(at`/v1/organization/providers/${id}`));
    return { text: `Provider ${id} is removed.`, json };
  },
};

export const providersTest: Command = {
  name: 'providers test',
  about: 'Test an existing or a new provider by asking for its models.',
  argument: { value: 'ID', about: 'An existing provider.', required: false },
  options: { ...DEFINITION, ...KEY_OPTION },
  examples: ['headgate providers test lab', 'headgate providers test --preset mistral --key-env MISTRAL_API_KEY'],
  async run(call) {
    const { argument: providerId, api } = call;
    const definition = definitionOf(call);
    if (providerId === undefined && definition.preset === undefined && definition.base_url === undefined)
      throw new UsageError('Name an existing provider, or describe a new one with --preset or --base-url.');
    const key = keyIn(call);
    const id = providerId === undefined ? {} : { provider_id: providerId };
    const wanted = { ...id, ...definition, ...(key !== null && { key }) };
    const json = await inOptionsOf(OPTION_OF, api.post<Tested>('/v1/organization/providers/test', wanted));
    const { error, models, took_ms: tookMs } = json;
    const listed = models === null ? 'It answers' : `It lists ${countText(models, 'model')}`;
    return {
      text: error ?? `${listed}, in ${tookMs} ms. ${KEY_WORDS[json.key]}`,
      json,
      code: json.ok ? 0 : FAILED,
    };
  },
};

const KEY_WORDS = {
  accepted: 'It accepts the key.',
  refused: 'It refuses the key.',
  unknown: 'It shows its list without a key, so the key could not be tested.',
  none: 'No key was sent.',
};

export const providersRewrap: Command = {
  name: 'providers rewrap',
  about: 'Encrypt the keys of providers under another wrapping key.',
  details: [
    'A new wrapping key is created in the data folder. If HEADGATE_WRAPPING_KEY has it instead:',
    'set that to the new one and HEADGATE_WRAPPING_KEY_BEFORE to the old one,',
    'restart the gateway, and run this.',
  ].join('\n'),
  options: {},
  examples: ['headgate providers rewrap'],
  async run({ api }) {
    const json = await api.post<Rewrapped>('/v1/operator/provider_keys/rewrap');
    const { credentials: count, is_given: isGiven } = json;
    const next = isGiven ? ' HEADGATE_WRAPPING_KEY_BEFORE can be removed.' : ' The old one was deleted.';
    return {
      text: `${count === 1 ? '1 key is' : `${count} keys are`} encrypted under another wrapping key.${next}`,
      json,
    };
  },
};

function definitionOf({ values }: CommandCall): Record<string, string> {
  const { preset, 'base-url': base_url, label } = values;
  const members = Object.entries({ preset, base_url, label });
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function keysOf({ credentials }: ProviderLine): string {
  return credentials.map(({ name, hint }) => (hint === '' ? name : `${name} (…${hint})`)).join(', ') || '-';
}

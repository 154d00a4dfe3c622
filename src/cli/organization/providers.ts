import {
  addProviderTask,
  type ListedProvider,
  listProvidersTask,
  removeProviderTask,
  rewrapTask,
  testProviderTask,
} from '../../tasks/providers.ts';
import type { Command, CommandCall } from '../command.ts';
import { FAILED, inOptionsOf, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { countText } from '../phrases.ts';
import { table } from '../table.ts';
import { KEY_OPTION, keyIn } from './provider-keys.ts';

const DEFINITION = {
  preset: { value: 'VENDOR', about: 'Vendor preset (default: the one with the same id).' },
  'base-url': { value: 'URL', about: 'Where it is, for one that no preset knows: over https, and public.' },
  label: { value: 'NAME', about: 'Display name.' },
} as const;

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
  async run({ where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), listProvidersTask, {});
    const columns = [
      { title: 'ID', of: ({ id }: ListedProvider) => id },
      { title: 'ADDRESS', of: ({ address }: ListedProvider) => address },
      { title: 'KEYS', of: keysOf },
      { title: 'SET IN', of: ({ setIn }: ListedProvider) => setIn ?? 'settings' },
      { title: 'STATE', of: ({ off }: ListedProvider) => (off === null ? 'on' : `off: ${off}`) },
    ];
    const none = 'No providers yet. Add one: headgate providers add openai --key-env OPENAI_API_KEY';
    return {
      text: answer.length === 0 ? none : table(columns, answer),
      json: { object: 'list', data: answer.map(providerJson) },
      notes,
    };
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
    const { argument: id = '', where, tools } = call;
    const key = keyIn(call);
    const keys = key === null ? [] : [{ name: 'default', weight: 1, key }];
    const input = { id, definition: definitionOf(call), keys };
    const { answer } = await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), addProviderTask, input));
    const off = answer.off === null ? '' : ` It is off: ${answer.off}.`;
    return {
      text: `Provider ${id} (${answer.label}) is at ${answer.address}.${off} Test it: headgate providers test ${id}`,
      json: providerJson(answer),
    };
  },
};

export const providersRemove: Command = {
  name: 'providers remove',
  about: 'Remove a provider from the settings, with its keys.',
  argument: { value: 'ID', about: 'The provider.', required: true },
  options: {},
  examples: ['headgate providers remove lab'],
  async run({ argument: id = '', where, tools }) {
    await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), removeProviderTask, { id }));
    return { text: `Provider ${id} is removed.`, json: { id, deleted: true } };
  },
};

export const providersTest: Command = {
  name: 'providers test',
  about: 'Test an existing or a new provider by asking for its models.',
  argument: { value: 'ID', about: 'An existing provider.', required: false },
  options: { ...DEFINITION, ...KEY_OPTION },
  examples: ['headgate providers test lab', 'headgate providers test --preset mistral --key-env MISTRAL_API_KEY'],
  async run(call) {
    const { argument: providerId, where, tools } = call;
    const definition = definitionOf(call);
    if (providerId === undefined && definition.preset === undefined && definition.base_url === undefined)
      throw new UsageError('Name an existing provider, or describe a new one with --preset or --base-url.');
    const input = { providerId, definition, key: keyIn(call) ?? undefined };
    const { answer } = await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), testProviderTask, input));
    const { fault, models, tookMs } = answer;
    const listed = models === null ? 'It answers' : `It lists ${countText(models, 'model')}`;
    return {
      text: fault ?? `${listed}, in ${tookMs} ms. ${KEY_WORDS[answer.key]}`,
      json: { ok: fault === null, models, key: answer.key, error: fault, took_ms: tookMs },
      code: fault === null ? 0 : FAILED,
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
  async run({ where, tools }) {
    const { answer } = await perform(tools, tools.readSetup(where), rewrapTask, {});
    const { count, isGiven } = answer;
    const next = isGiven ? ' HEADGATE_WRAPPING_KEY_BEFORE can be removed.' : ' The old one was deleted.';
    return {
      text: `${count === 1 ? '1 key is' : `${count} keys are`} encrypted under another wrapping key.${next}`,
      json: { credentials: count },
    };
  },
};

function definitionOf({ values }: CommandCall): Record<string, string> {
  const { preset, 'base-url': base_url, label } = values;
  const members = Object.entries({ preset, base_url, label });
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function keysOf({ credentials }: ListedProvider): string {
  return credentials.map(({ name, hint }) => (hint === '' ? name : `${name} (…${hint})`)).join(', ') || '-';
}

function providerJson({ id, label, address, off, setIn, credentials }: ListedProvider) {
  return { id, label, base_url: address, off, set_in: setIn, credentials };
}

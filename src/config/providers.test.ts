// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PresetNames, ProviderConfig } from './config.ts';
import { type ConfigInput, type ReadConfig, readConfig } from './read.ts';

const PLAIN = { keyEnv: [], needsKey: true, needsBaseUrl: false, baseUrlEnv: [] };
const PRESETS: PresetNames[] = [
  { ...PLAIN, id: 'openai', keyEnv: ['OPENAI_API_KEY'] },
  { ...PLAIN, id: 'azure', keyEnv: ['AZURE_KEY', 'AZURE_OLD_KEY'], needsBaseUrl: true, baseUrlEnv: ['AZURE_ENDPOINT'] },
  { ...PLAIN, id: 'groq', keyEnv: ['GROQ_API_KEY'] },
  { ...PLAIN, id: 'vllm', keyEnv: ['VLLM_API_KEY'], needsKey: false },
  { ...PLAIN, id: 'openai-compatible', needsKey: false, needsBaseUrl: true },
];

function read(text: string | null, env: ConfigInput['env'] = {}, file = 'headgate.yaml'): ReadConfig {
  return readConfig({ text, file, env, presets: PRESETS, built: ['openai-chat', 'openai-embeddings'] });
}

/** The first key of a provider. */
function keyOf({ secrets }: ReadConfig, id: string): string | null {
  return secrets.providerKeys.get(id)?.[0]?.secret.reveal() ?? null;
}

/** Ids of what is on, and reasons of what is off. */
function states(providers: readonly ProviderConfig[]): Record<string, string | null> {
  return Object.fromEntries(providers.map(({ id, off }) => [id, off]));
}

test('without a file, each preset that needs a key and has one is on, in the order of the presets', () => {
  const env = { GROQ_API_KEY: 'g', OPENAI_API_KEY: 'o', VLLM_API_KEY: 'v' };
  const { config, secrets, notices } = read(null, env);
  assert.deepEqual(states(config.providers), { openai: null, groq: null });
  assert.deepEqual([...secrets.providerKeys.keys()], ['openai', 'groq']);
  assert.deepEqual(notices, []);
});

test('the first of several variables that is set holds the key', () => {
  const env = { AZURE_OLD_KEY: 'old', AZURE_ENDPOINT: 'https://x.example/' };
  assert.equal(keyOf(read(null, env), 'azure'), 'old');
  assert.equal(keyOf(read(null, { ...env, AZURE_KEY: 'new' }), 'azure'), 'new');
});

type AddressRow = [name: string, env: Record<string, string>, baseUrl: string | null, off: string | null];

const ADDRESSES: AddressRow[] = [
  ['an address', { AZURE_ENDPOINT: 'https://x.example/openai/' }, 'https://x.example/openai', null],
  ['a bare name, for the preset to complete', { AZURE_ENDPOINT: 'my-resource' }, 'my-resource', null],
  ['nothing', {}, null, 'AZURE_ENDPOINT is not set'],
  [
    'what is no address',
    { AZURE_ENDPOINT: 'ftp://x' },
    null,
    'AZURE_ENDPOINT must be an http or https address, such as http://127.0.0.1:9000/v1',
  ],
];

for (const [name, env, baseUrl, off] of ADDRESSES) {
  test(`the variable of a preset’s address may hold ${name}`, () => {
    for (const text of [null, 'providers: { azure: {} }']) {
      const [azure] = read(text, { AZURE_KEY: 'k', ...env }).config.providers;
      assert.deepEqual([azure?.baseUrl, azure?.off], [baseUrl, off]);
    }
  });
}

test('with a file, only the providers it names are on', () => {
  const env = { GROQ_API_KEY: 'g', OPENAI_API_KEY: 'o' };
  assert.deepEqual(states(read('providers: { groq: }', env).config.providers), { groq: null });
  const { config, notices } = read('echo: true', env);
  assert.deepEqual(config.providers, []);
  assert.deepEqual(notices, [
    'headgate.yaml names no provider, so these keys of the environment are not used: OPENAI_API_KEY, GROQ_API_KEY.',
  ]);
});

type ProviderRow = [name: string, entry: string, provider: Partial<ProviderConfig>, key: string | null];

const PROVIDERS: ProviderRow[] = [
  ['a preset by its own name', 'groq: {}', { id: 'groq', preset: 'groq', off: null }, 'g'],
  ['a preset under another name', 'fast: { preset: groq }', { id: 'fast', preset: 'groq', off: null }, 'g'],
  ['a preset with a key of its own', 'groq: { api_key: "${OTHER}" }', { off: null }, 'other'],
  ['a preset without its key', 'openai: {}', { off: 'OPENAI_API_KEY is not set' }, null],
  ['a preset with several names for its key', 'azure: {}', { off: 'none of AZURE_KEY, AZURE_OLD_KEY is set' }, null],
  ['a preset that needs no key', 'vllm: {}', { preset: 'vllm', off: null }, null],
  ['a preset whose own key is missing', 'groq: { api_key: "${NOPE}" }', { off: 'NOPE is not set' }, null],
  [
    'a provider of one’s own',
    'x: { base_url: HTTP://X.example/v1// }',
    { preset: null, baseUrl: 'http://x.example/v1' },
    null,
  ],
  ['the preset for any address', 'openai-compatible: { base_url: http://x }', { baseUrl: 'http://x', off: null }, null],
  [
    'a proxy whose prefix is like the path of a call',
    'x: { base_url: http://tei.internal/embeddings }',
    { baseUrl: 'http://tei.internal/embeddings' },
    null,
  ],
  ['a label', 'groq: { label: The fast one }', { label: 'The fast one' }, 'g'],
  ['headers', 'groq: { headers: { X-Team: "${OTHER}" } }', { headers: { 'x-team': 'other' } }, 'g'],
  [
    'models beside those that it has',
    'groq: { models: [a] }',
    { models: [{ id: 'a', upstream: 'a' }], only: null },
    'g',
  ],
  ['a restriction to nothing', 'groq: { only: [] }', { models: [], only: [] }, 'g'],
  ['what becomes of unknown names', 'groq: { unknown_models: refuse }', { unknownModels: 'refuse' }, 'g'],
  ['a key with spaces around it', 'groq: { api_key: "  ${OTHER}\\n" }', { off: null }, 'other'],
  [
    'a key that no header can carry',
    'groq: { api_key: "a b" }',
    { off: 'its api_key contains characters that are not allowed in a header' },
    null,
  ],
  [
    'a dialect that is built beside one that is not',
    'groq: { dialects: [gemini, openai-chat] }',
    { dialects: ['openai-chat'], off: null },
    'g',
  ],
  [
    'only dialects that are not built',
    'groq: { dialects: [gemini] }',
    { off: 'none of its dialects is supported yet (gemini)' },
    null,
  ],
];

for (const [name, entry, expected, key] of PROVIDERS) {
  test(`providers: ${name}`, () => {
    const found = read(`providers:\n  ${entry}\n`, { GROQ_API_KEY: 'g', OTHER: 'other' });
    const [provider] = found.config.providers;
    assert.partialDeepStrictEqual(provider, expected);
    assert.equal(keyOf(found, provider!.id), key);
  });
}

const NOTICES: [name: string, text: string, notices: string[]][] = [
  [
    'a key in the file',
    'providers: { groq: { api_key: gsk-1 } }',
    ['providers.groq.api_key is a secret in the file: keep it in the environment and write ${NAME}.'],
  ],
  [
    'a token in the file',
    'server: { metrics_token: t0ken }\nproviders: { groq: {} }',
    ['server.metrics_token is a secret in the file: keep it in the environment and write ${NAME}.'],
  ],
  [
    'a provider that does without a dialect',
    'providers: { groq: { dialects: [gemini, openai-chat, bedrock-converse] } }',
    ['Provider groq does not use dialects that are not supported yet: gemini, bedrock-converse.'],
  ],
  [
    'a model whose dialects are not built',
    'providers: { groq: { only: [{ id: a, dialects: [gemini] }, { id: b, dialects: [gemini, openai-chat] }] } }',
    [
      'Model groq/a is left out: none of its dialects is supported yet (gemini).',
      'Model groq/b does not use dialects that are not supported yet: gemini.',
    ],
  ],
  [
    'facts for a provider that is not there',
    'providers: { groq: {} }\nmodels: { grok/x: { context_window: 1 } }',
    ['The facts of grok/x are not used: there is no provider of that name.'],
  ],
  [
    'a preset whose models restrict nothing',
    'providers: { groq: { models: [a] }, openai: { models: [a], unknown_models: pass }, x: { base_url: http://x, models: [a] } }',
    [
      'Provider openai is off: OPENAI_API_KEY is not set.',
      'Provider groq serves every model that it has; “models” only adds to what is known of them. To serve these alone, name them under “only”; to hide this note, set “unknown_models: pass”.',
    ],
  ],
  [
    'an alias to a model that is listed nowhere',
    'providers: { groq: { only: [a] } }\naliases: { x: b, y: a, z: groq/a, w: echo }',
    ['Alias x leads to b, which no provider that is on is known to serve.'],
  ],
  ['an alias to a model that may be found later', 'providers: { groq: {} }\naliases: { x: b, y: meta/llama }', []],
  [
    'an alias to echo, which is off',
    'providers: { groq: { only: [] } }\naliases: { x: echo }\necho: false',
    ['Alias x leads to echo, which no provider that is on is known to serve.'],
  ],
];

for (const [name, text, notices] of NOTICES) {
  test(`start tells of ${name}`, () => {
    assert.deepEqual(read(text, { GROQ_API_KEY: 'g' }).notices, notices);
  });
}

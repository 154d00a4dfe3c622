import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog, shippedCatalogText } from '../catalog/catalog.ts';
import { Secret } from '../core/secret.ts';
import { PRESETS } from './presets.ts';
import { type ProviderSettings, presetNames, presetOf, resolveProvider, vendorHeaders } from './resolve.ts';

const NOTHING_SET = { baseUrl: null, label: null, dialects: null, headers: {}, region: null, concurrency: null };

test('every row has a name of its own, an address without a trailing slash, and a page', () => {
  assert.equal(new Set(PRESETS.map(({ id }) => id)).size, PRESETS.length);
  for (const { id, baseUrl, localPort, docs, speaks } of PRESETS) {
    assert.match(id, /^[a-z0-9][a-z0-9.-]*$/);
    assert.equal(new URL(docs).protocol, 'https:', id);
    assert.ok(speaks.length > 0, id);
    if (baseUrl === null) continue;
    assert.ok(!baseUrl.endsWith('/'), id);
    const { protocol, hostname, port } = new URL(baseUrl);
    if (localPort === undefined) assert.equal(protocol, 'https:', id);
    else assert.deepEqual([hostname, port], ['127.0.0.1', String(localPort)], id);
  }
});

test('every row that needs a key says where it is found, and no variable is that of two rows', () => {
  const names = PRESETS.flatMap(({ keyEnv }) => keyEnv);
  assert.equal(new Set(names).size, names.length);
  for (const { id, keyEnv, needsKey } of PRESETS) assert.ok(needsKey === false || keyEnv.length > 0, id);
});

test('every vendor that a row finds in the catalog is there with models', () => {
  const catalog = loadCatalog([{ text: shippedCatalogText(), place: 'shipped' }]);
  for (const { id, catalog: vendor } of PRESETS) {
    // OpenRouter's models exist only after an import.
    if (vendor !== null && vendor !== 'openrouter') assert.ok(catalog.modelsOf(vendor).length > 0, id);
  }
});

test('the first preset is openai, and the names for the configuration follow the rows', () => {
  const names = presetNames();
  assert.deepEqual(
    names.map(({ id }) => id),
    PRESETS.map(({ id }) => id),
  );
  assert.deepEqual(names[0], {
    id: 'openai',
    alsoCalled: [],
    keyEnv: ['OPENAI_API_KEY'],
    needsKey: true,
    needsBaseUrl: false,
    baseUrlEnv: [],
  });
  const other = names.flatMap(({ id, alsoCalled }) => [id, ...alsoCalled]);
  assert.equal(new Set(other).size, other.length, 'no two presets have a name in common');
  assert.equal(names.find(({ id }) => id === 'azure')?.needsBaseUrl, true);
  assert.equal(names.find(({ id }) => id === 'ollama')?.needsKey, false);
});

test('a preset alone is a whole provider', () => {
  const provider = resolveProvider({ id: 'groq', preset: 'groq', ...NOTHING_SET }, new Secret('gsk_1'));
  assert.equal(provider.label, 'Groq');
  assert.equal(provider.baseUrl, 'https://api.groq.com/openai/v1');
  assert.deepEqual(provider.speaks, [
    { dialect: 'openai-chat', path: '/chat/completions' },
    { dialect: 'openai-responses', path: '/responses' },
  ]);
  assert.deepEqual(vendorHeaders(provider, 'openai-chat'), ['authorization', 'Bearer gsk_1']);
});

test('what the operator says wins over the row', () => {
  const settings: ProviderSettings = {
    id: 'mine',
    preset: 'groq',
    baseUrl: 'https://proxy.example/groq/',
    label: 'Ours',
    dialects: ['openai-embeddings'],
    headers: { 'x-team': 'blue' },
    region: 'eu',
    concurrency: { max: 8, queue: 100, wait: 10_000 },
  };
  const provider = resolveProvider(settings, null);
  assert.equal(provider.id, 'mine');
  assert.equal(provider.label, 'Ours');
  assert.deepEqual([provider.region, provider.concurrency], [settings.region, settings.concurrency]);
  assert.equal(provider.baseUrl, 'https://proxy.example/groq');
  assert.deepEqual(provider.speaks, [{ dialect: 'openai-embeddings', path: '/embeddings' }]);
  assert.deepEqual(vendorHeaders(provider, 'openai-chat'), ['x-team', 'blue']);
});

test('an address of the operator’s own may end in /v1 or not, and speaks the usual dialects', () => {
  for (const [given, kept] of [
    ['http://127.0.0.1:9000/v1', 'http://127.0.0.1:9000/v1'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000/v1'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/v1'],
    ['http://127.0.0.1:9000/api/paas/v4', 'http://127.0.0.1:9000/api/paas/v4'],
    ['http://127.0.0.1:9000/openai', 'http://127.0.0.1:9000/openai'],
  ] as const) {
    const provider = resolveProvider({ id: 'lab', preset: null, ...NOTHING_SET, baseUrl: given }, null);
    assert.equal(provider.baseUrl, kept);
    assert.equal(provider.label, 'lab');
    assert.deepEqual(
      provider.speaks.map(({ dialect }) => dialect),
      ['openai-chat', 'openai-embeddings'],
    );
  }
});

test('an address for Anthropic’s clients may stand behind a path, as they are given it', () => {
  const settings: ProviderSettings = { id: 'lab', preset: null, ...NOTHING_SET, dialects: ['anthropic-messages'] };
  for (const [given, kept] of [
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/v1'],
    ['http://127.0.0.1:9000/v1', 'http://127.0.0.1:9000/v1'],
    ['https://lab.example/anthropic', 'https://lab.example/anthropic/v1'],
    ['https://lab.example/anthropic/v1/', 'https://lab.example/anthropic/v1'],
  ] as const) {
    const provider = resolveProvider({ ...settings, baseUrl: given }, new Secret('k'));
    assert.equal(provider.baseUrl, kept);
    assert.deepEqual(vendorHeaders(provider, 'anthropic-messages'), ['x-api-key', 'k']);
  }
});

test('a row whose own address has no version lends none', () => {
  const settings = { id: 'mine', preset: 'deepseek', ...NOTHING_SET, baseUrl: 'https://proxy.example' };
  assert.equal(resolveProvider(settings, null).baseUrl, 'https://proxy.example');
});

test('a dialect that nobody has a path for is not spoken', () => {
  const settings: ProviderSettings = {
    id: 'lab',
    preset: null,
    ...NOTHING_SET,
    baseUrl: 'http://lab',
    dialects: ['gemini'],
  };
  assert.deepEqual(resolveProvider(settings, null).speaks, []);
});

test('a provider without an address, or of an unknown preset, is refused', () => {
  const none: ProviderSettings = { id: 'lab', preset: 'openai-compatible', ...NOTHING_SET };
  assert.throws(() => resolveProvider(none, null), /'lab' has no address/);
  assert.throws(() => resolveProvider({ ...none, preset: 'nobody' }, null), /no preset 'nobody'/);
  assert.equal(presetOf('nobody'), undefined);
});

test('azure takes a resource name, its endpoint or the whole address, and its own header', () => {
  for (const given of [
    'my-lab',
    'https://my-lab.openai.azure.com/',
    'https://my-lab.openai.azure.com/openai',
    'https://my-lab.openai.azure.com/openai/v1/',
  ]) {
    const provider = resolveProvider({ id: 'azure', preset: 'azure', ...NOTHING_SET, baseUrl: given }, new Secret('k'));
    assert.equal(provider.baseUrl, 'https://my-lab.openai.azure.com/openai/v1', given);
    assert.deepEqual(vendorHeaders(provider, 'openai-chat'), ['api-key', 'k']);
  }
  const proxied: ProviderSettings = {
    id: 'azure',
    preset: 'azure',
    ...NOTHING_SET,
    baseUrl: 'https://proxy.example/azure',
  };
  assert.equal(resolveProvider(proxied, null).baseUrl, 'https://proxy.example/azure');
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask } from './client.ts';

const server = await startHeadgate({
  config: `
providers:
  lab:
    label: The Laboratory
    region: eu
    base_url: http://127.0.0.1:9/v1
    only:
      - lab-small
      - id: lab-large
        name: Grande
        upstream: lab-large-2026
        context_window: 128000
        max_output_tokens: 4096
        price:
          input_per_1m: 0.15
          output_per_1m: 0.6
          cache_read_per_1m: 0.075
          tiers: [{ above_prompt_tokens: 64000, input_per_1m: 0.3 }]
          date: 2026-11-21
      - { id: vectors, dimensions: 1536, dialects: [openai-embeddings] }
  groq: { api_key: nothing-that-is-used, base_url: "http://127.0.0.1:9/v1", only: [lab-small, openai/gpt-oss-20b] }
aliases: { default: lab-small, house: lab-large }
routes: { acme/undated: { targets: [lab-large], price: { input_per_1m: 1, output_per_1m: 2 } } }
`,
});
after(() => server[Symbol.asyncDispose]());

type Entry = Readonly<Record<string, unknown>> & { id: string; pricing: Readonly<Record<string, unknown>> };

async function catalog(query: Record<string, string> = {}, key = server.key): Promise<Entry[]> {
  const answer = await ask(`${server.url}/v1/models/catalog?${new URLSearchParams(query)}`, { key });
  assert.equal(answer.status, 200, answer.text);
  const { object, data } = answer.json as { object: string; data: Entry[] };
  assert.equal(object, 'list');
  return data;
}

async function idsOf(query: Record<string, string>, key?: string): Promise<string[]> {
  return (await catalog(query, key)).map(({ id }) => id);
}

const LAB = ['lab-small', 'lab-large', 'vectors'];
const GROQ = ['groq/lab-small', 'openai/gpt-oss-20b'];

test('it lists what can be called, in the order of the configuration, under the names to call it by', async () => {
  assert.deepEqual((await idsOf({})).slice(0, 6), [...LAB, ...GROQ, 'echo']);
});

test('the filter by provider takes its id or its label, in any case, whole', async () => {
  for (const provider of ['lab', 'LAB', 'The Laboratory', 'the laboratory'])
    assert.deepEqual(await idsOf({ provider }), LAB);
  assert.deepEqual(await idsOf({ provider: 'groq' }), GROQ);
  assert.deepEqual(await idsOf({ provider: 'la' }), []);
  assert.equal((await idsOf({ provider: '' })).length, (await idsOf({})).length);
});

test('the search looks in ids, names, aliases and the provider’s labels, in any case, in part', async () => {
  for (const [search, ids] of [
    ['LAB-LARGE', ['lab-large']],
    ['grande', ['lab-large']],
    ['lab-large-2026', ['lab-large']],
    ['house', ['lab-large']],
    ['laboratory', LAB],
    ['gpt-oss', ['openai/gpt-oss-20b']],
    ['lab-small', ['lab-small', 'groq/lab-small']],
    ['no such thing', []],
    ['%', []],
  ] as const) {
    assert.deepEqual(await idsOf({ search }), ids, search);
  }
});

test('both filters hold at once', async () => {
  assert.deepEqual(await idsOf({ provider: 'groq', search: 'lab-small' }), ['groq/lab-small']);
});

test('an entry has every field of the contract, and those that add to it', async () => {
  const [large] = await catalog({ search: 'grande' });
  const rates = {
    input_per_1m: 0.15,
    output_per_1m: 0.6,
    cache_read_per_1m: 0.075,
    cache_write_per_1m: null,
    cache_write_1h_per_1m: null,
    reasoning_per_1m: null,
    audio_input_per_1m: null,
    audio_output_per_1m: null,
  };
  assert.deepEqual(large, {
    id: 'lab-large',
    object: 'model',
    name: 'Grande',
    provider: 'lab',
    provider_label: 'The Laboratory',
    region: 'eu',
    brand: null,
    origin: 'vendor',
    aliases: ['house'],
    context_window: 128_000,
    max_output_tokens: 4096,
    dimensions: null,
    from_vendor: [],
    dialects: ['openai-chat', 'openai-embeddings'],
    routing: { strategy: 'direct', targets: [{ provider: 'lab', model: 'lab-large-2026' }] },
    capabilities: null,
    modalities: null,
    released_at: null,
    inferred_from: null,
    listed_by: null,
    unlisted_since: null,
    shut_down_at: null,
    pricing: {
      ...rates,
      tiers: [
        {
          above_prompt_tokens: 64_000,
          ...Object.fromEntries(Object.keys(rates).map((name) => [name, null])),
          input_per_1m: 0.3,
        },
      ],
      currency: 'USD',
      source: 'headgate.yaml',
      date: '2026-11-21',
    },
  });
});

test('what ships in the catalog is known of a vendor’s model: window, prices, source and date', async () => {
  const [entry] = await catalog({ search: 'gpt-oss-20b' });
  assert.ok(Number(entry?.context_window) > 10_000);
  for (const name of ['input_per_1m', 'output_per_1m']) assert.equal(typeof entry?.pricing[name], 'number', name);
  assert.match(String(entry?.pricing.date), /^\d{4}-\d{2}-\d{2}$/);
  assert.equal(typeof entry?.pricing.source, 'string');
});

test('what nobody says is null, never 0', async () => {
  const [small] = await catalog({ provider: 'lab', search: 'lab-small' });
  assert.deepEqual([small?.context_window, small?.pricing.input_per_1m, small?.pricing.source], [null, null, null]);
  const [undated] = await catalog({ search: 'undated' });
  assert.deepEqual([undated?.pricing.input_per_1m, undated?.pricing.date], [1, null]);
  const [vectors] = await catalog({ search: 'vectors' });
  assert.deepEqual([vectors?.dimensions, vectors?.dialects], [1536, ['openai-embeddings']]);
});

test('a key that names its models sees those, under the names that it may use', async () => {
  const { key } = await server.createKey('--models', 'house,groq/lab-small');
  assert.deepEqual(await idsOf({}, key), ['house', 'groq/lab-small']);
});

test('one entry is told by any of its names; slashes in them may be encoded or not', async () => {
  const [large] = await catalog({ search: 'grande' });
  for (const name of ['lab-large', 'house', 'lab/lab-large', 'lab%2Flab-large']) {
    const { status, json } = await ask(`${server.url}/v1/models/catalog/${name}`, { key: server.key });
    assert.deepEqual([status, json], [200, large], name);
  }
});

test('an entry is told under the names that the key may use, and of others it learns nothing', async () => {
  const { key } = await server.createKey('--models', 'house');
  const { json } = await ask(`${server.url}/v1/models/catalog/house`, { key });
  assert.deepEqual([(json as Entry).id, (json as Entry).aliases], ['house', []]);
  for (const name of ['lab-small', 'acme/undated', 'no-such-model']) {
    const refused = await ask(`${server.url}/v1/models/catalog/${name}`, { key });
    assert.deepEqual([refused.status, field(refused.json, 'error', 'code')], [404, 'model_not_found'], name);
  }
});

test('the routes are listed alone, as the catalog has them, and to keys that may use them', async () => {
  const routes = async (key: string) => (await ask(`${server.url}/v1/routes`, { key })).json;
  assert.deepEqual(await routes(server.key), { object: 'list', data: await catalog({ search: 'undated' }) });
  const { key } = await server.createKey('--models', 'house');
  assert.deepEqual(await routes(key), { object: 'list', data: [] });
});

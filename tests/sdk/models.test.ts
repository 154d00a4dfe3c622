import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BadRequestError, NotFoundError } from 'openai';
import { collect, rejection, startLab } from './lab.ts';

/** Both providers are the same vendor, told apart by the key it is called with. */
const lab = await startLab(
  `
providers:
  lab:
    base_url: \${LAB_URL}
    api_key: \${LAB_KEY}
    only:
      - shared
      - org/deep/model
      - { id: lab-large, upstream: lab-large-2026, context_window: 128000, max_output_tokens: 4096, name: Large,
          price: { input_per_1m: 0.15, output_per_1m: 0.60, cache_read_per_1m: 0.075, date: 2026-11-01 } }
  spare:
    base_url: \${LAB_URL}
    api_key: \${SPARE_KEY}
    label: Spare Parts
    only: [shared, only]
aliases: { default: lab-large, chained: default }
`,
  { env: { SPARE_KEY: 'spare-key-0123456789' } },
);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

/** Where a chat goes that names this model: `provider/model`, as the vendor sees it. */
async function whereTo(model: string): Promise<string> {
  const { response } = await client.chat.completions
    .create({ model, messages: [{ role: 'user', content: 'Hi' }] })
    .withResponse();
  const { headers, model: asked } = vendor.requests.at(-1)!;
  const provider = headers.authorization?.includes('spare-key') ? 'spare' : 'lab';
  assert.equal(response.headers.get('service-provider'), provider);
  assert.equal(response.headers.get('service-model'), asked);
  return `${provider}/${asked}`;
}

test('a name is an alias, else a model of the provider it names, else of the first provider that has it', async () => {
  const ways: [name: string, to: string][] = [
    ['default', 'lab/lab-large-2026'],
    ['chained', 'lab/lab-large-2026'],
    ['lab/shared', 'lab/shared'],
    ['spare/shared', 'spare/shared'],
    ['shared', 'lab/shared'],
    ['only', 'spare/only'],
    ['org/deep/model', 'lab/org/deep/model'],
    ['lab/org/deep/model', 'lab/org/deep/model'],
    ['lab-large', 'lab/lab-large-2026'],
  ];
  for (const [name, to] of ways) assert.equal(await whereTo(name), to, name);
});

test('an unknown model is a 404 with the names that are near', async () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const error = await rejection(client.chat.completions.create({ model: 'lab-larg', messages }), NotFoundError);
  assert.deepEqual([error.code, error.param, error.type], ['model_not_found', 'model', 'invalid_request_error']);
  const named = [...error.message.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named, ['lab-larg', 'lab-large']);
  // A name with a slash says which provider is meant; no other is asked.
  await rejection(client.chat.completions.create({ model: 'spare/lab-large', messages }), NotFoundError);
  await rejection(client.chat.completions.create({ model: 'off/shared', messages }), NotFoundError);
});

test('a model is refused where it does not serve what was asked', async () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const model = 'echo/text-embedding-3-small';
  const error = await rejection(client.chat.completions.create({ model, messages }), BadRequestError);
  assert.deepEqual([error.param, error.code], ['model', 'unsupported_model']);
});

test('the list has every name that leads somewhere of its own', async () => {
  const models = await collect(client.models.list());
  const ids = models.map(({ id }) => id);
  assert.deepEqual(ids, [
    ...['shared', 'org/deep/model', 'lab-large', 'default', 'chained', 'spare/shared', 'only', 'echo'],
    ...['echo/text-embedding-3-small', 'echo/text-embedding-3-large', 'echo/text-embedding-ada-002'],
  ]);
  assert(models.every((model) => model.object === 'model' && Number.isInteger(model.created)));
  assert.equal(models.find(({ id }) => id === 'spare/shared')?.owned_by, 'spare');
  for (const id of ids)
    assert.deepEqual(
      await client.models.retrieve(id),
      models.find((model) => model.id === id),
    );
});

test('each listed name leads where its entry says', async () => {
  for (const { id, owned_by } of (await client.models.list()).data.filter(({ owned_by }) => owned_by !== 'echo')) {
    assert.equal((await whereTo(id)).split('/')[0], owned_by, id);
  }
});

test('a model is retrieved by any of its names, encoded or not', async () => {
  for (const id of ['lab/org/deep/model', 'org/deep/model', 'default', 'lab/lab-large']) {
    const retrieved = await client.models.retrieve(id);
    assert.deepEqual([retrieved.id, retrieved.owned_by], [id, 'lab']);
    assert.deepEqual(await client.get(`/models/${id}`), retrieved, 'with its slashes as they are');
    assert.deepEqual(await client.get(`/models/${id.replaceAll('/', '%2f')}`), retrieved);
  }
  for (const id of ['nobody', 'org/deep', 'lab/', 'org%2Fdeep%2Fmodel']) {
    const error = await rejection(client.models.retrieve(id), NotFoundError);
    assert.equal(error.code, 'model_not_found');
  }
});

type CatalogEntry = Record<string, unknown> & { id: string };

test('the catalog tells where a model goes and what it costs, and can be searched', async () => {
  const search = async (query: Record<string, string>) => {
    const list = await client.get<{ object: string; data: CatalogEntry[] }>('/models/catalog', { query });
    assert.equal(list.object, 'list');
    return list.data;
  };
  const [large] = await search({ search: 'LARGE', provider: 'Lab' });
  assert.equal(large?.id, 'lab-large');
  const { pricing, ...facts } = large as CatalogEntry & { pricing: Record<string, unknown> };
  assert.deepEqual(
    [pricing.input_per_1m, pricing.output_per_1m, pricing.cache_read_per_1m, pricing.source, pricing.date],
    [0.15, 0.6, 0.075, 'headgate.yaml', '2026-11-01'],
  );
  assert.deepEqual(
    [facts.provider, facts.name, facts.origin, facts.context_window, facts.max_output_tokens, facts.aliases],
    ['lab', 'Large', 'vendor', 128000, 4096, ['default', 'chained']],
  );
  assert.deepEqual(facts.routing, { strategy: 'direct', targets: [{ provider: 'lab', model: 'lab-large-2026' }] });
  const idsOf = (entries: CatalogEntry[]) => entries.map(({ id }) => id);
  assert.deepEqual(idsOf(await search({ provider: 'spare' })), ['spare/shared', 'only']);
  assert.deepEqual(idsOf(await search({ provider: 'SPARE PARTS', search: 'NL' })), ['only']);
  assert.deepEqual(idsOf(await search({ search: 'spare parts' })), ['spare/shared', 'only']);
  assert.deepEqual(await search({ provider: 'nobody' }), []);
});

test('where a name means several things, the alias wins, then the provider’s name', async () => {
  await lab.headgate.reload(`
providers:
  lab: { base_url: "\${LAB_URL}", only: [shared, spare/only, both] }
  spare: { base_url: "\${LAB_URL}", api_key: "\${SPARE_KEY}", only: [shared, only] }
aliases: { lab/shared: spare/shared, both: spare/only }
`);
  const ways: [name: string, to: string][] = [
    ['lab/shared', 'spare/shared'],
    ['both', 'spare/only'],
    ['lab/both', 'lab/both'],
    ['spare/only', 'spare/only'],
    ['lab/spare/only', 'lab/spare/only'],
    ['shared', 'lab/shared'],
  ];
  for (const [name, to] of ways) assert.equal(await whereTo(name), to, name);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
after(() => vendor.close());
const headgate = await startHeadgate({
  config: `providers: { lab: { base_url: "${vendor.url}", dialects: [openai-embeddings], only: [vectors] } }
retries: { attempts: 1 }
`,
});
after(() => headgate[Symbol.asyncDispose]());

async function embed(body: object): Promise<{ status: number; json: { data: { embedding: unknown }[] } }> {
  const response = await fetch(`${headgate.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'vectors', ...body }),
  });
  return { status: response.status, json: (await response.json()) as { data: { embedding: unknown }[] } };
}

test('numbers become base64 where that was asked, and objects reach the vendor', async () => {
  const item = { object: 'embedding', index: 0, embedding: [1, -2] };
  vendor.plan(() =>
    jsonReply(200, { object: 'list', data: [item], model: 'v', usage: { prompt_tokens: 1, total_tokens: 1 } }),
  );
  const base64 = await embed({ input: 'a', encoding_format: 'base64' });
  assert.deepEqual([base64.status, base64.json.data[0]?.embedding], [200, 'AACAPwAAAMA=']);
  const input = [{ text: 'a' }, { image: 'https://a.test/b.png' }];
  const objects = await embed({ input });
  assert.deepEqual([objects.status, objects.json.data[0]?.embedding], [200, [1, -2]]);
  assert.deepEqual(vendor.requests.at(-1)?.json, { model: 'vectors', input });
});

const BASE64 = 'AACAPwAAAMA=';
const VECTOR = [1, -2];
const item = (index: unknown, embedding: unknown, more: object = {}) => ({
  object: 'embedding',
  index,
  ...more,
  embedding,
});
const plain = (...vectors: unknown[]) => vectors.map((embedding, index) => item(index, embedding));

test('vectors come in the form that was asked for, in the order of their inputs, however the vendor tells them', async () => {
  const input = ['a', 'b'];
  const base64 = { input, encoding_format: 'base64' };
  const two = plain([1, 2], [3, 4]);
  const rows: readonly (readonly [name: string, asked: object, data: unknown, expected: unknown])[] = [
    ['as it should be', { input }, two, two],
    ['in another order', { input }, two.toReversed(), two],
    [
      'without numbers',
      { input },
      [{ embedding: [1, 2] }, { embedding: [3, 4] }],
      [1, 3].map((n, index) => ({ embedding: [n, n + 1], index })),
    ],
    ['with one number for all', { input }, two.map((each) => ({ ...each, index: 0 })), two],
    ['with numbers as text', { input }, [item('1', [3, 4]), item('0', [1, 2])], two],
    ['partly without', { input }, [{ object: 'embedding', embedding: [1, 2] }, two[1]], two],
    ['one that is no list', { input: 'a' }, item(0, VECTOR), plain(VECTOR)],
    ['partly as numbers', base64, plain(BASE64, VECTOR), plain(BASE64, BASE64)],
    ['partly as base64', { input }, plain(VECTOR, BASE64), plain(VECTOR, VECTOR)],
    [
      'behind much else',
      { input: 'a', encoding_format: 'base64' },
      [item(0, VECTOR, { document: 'x'.repeat(9000) })],
      [item(0, BASE64, { document: 'x'.repeat(9000) })],
    ],
    [
      'beside a text that looks like them',
      { input: 'a' },
      [item(0, VECTOR, { document: '"index": 7, "embedding": "x"' })],
      [item(0, VECTOR, { document: '"index": 7, "embedding": "x"' })],
    ],
    [
      'with a number of its own deeper',
      { input: 'a' },
      [item(0, VECTOR, { chunk: { index: 9 } })],
      [item(0, VECTOR, { chunk: { index: 9 } })],
    ],
    [
      'several of one input',
      { input: 'a' },
      [{ index: 0, embeddings: [VECTOR] }],
      [{ index: 0, embeddings: [VECTOR] }],
    ],
    ['of whole numbers', { input: 'a', encoding_format: 'base64', output_dtype: 'int8' }, plain([1, 2]), plain([1, 2])],
    ['of tokens', { input: [[1, 2], [3]] }, two, two],
  ];
  for (const [name, asked, data, expected] of rows) {
    vendor.plan(
      () => jsonReply(200, { object: 'list', data, model: 'v', usage: { prompt_tokens: 1, total_tokens: 1 } }),
      { times: 1 },
    );
    const { status, json } = await embed(asked);
    assert.deepEqual([status, json.data], [200, expected], name);
  }
});

test('long lists of vectors are put into order, and into the form that was asked for, too', async () => {
  const vector = Array.from({ length: 1024 }, (_, at) => at / 4);
  const form = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
  const input = Array.from({ length: 20 }, String);
  const asked = { input, encoding_format: 'base64' };
  const right = plain(...input.map(() => form));
  const lastAsNumbers = right.with(-1, item(19, vector));
  for (const data of [right, right.toReversed(), lastAsNumbers]) {
    vendor.plan(() => jsonReply(200, { object: 'list', data, model: 'v' }), { times: 1 });
    const { json } = await embed(asked);
    assert.deepEqual(json.data, right);
  }
});

test('embeddings are billed by what the vendor counts, under any name, and else by what we count', async () => {
  const rows: readonly (readonly [usage: object | undefined, tokens: number, source: string])[] = [
    [{ prompt_tokens: 7, total_tokens: 7 }, 7, 'provider'],
    [{ input_tokens: 7 }, 7, 'provider'],
    [{ total_tokens: 7 }, 7, 'provider'],
    [{ prompt_tokens: null, total_tokens: 7 }, 7, 'provider'],
    [{ prompt_tokens: 0, total_tokens: 7 }, 7, 'provider'],
    [{ prompt_tokens: 0, total_tokens: 0 }, 3, 'estimated'],
    [{}, 3, 'estimated'],
    [undefined, 3, 'estimated'],
  ];
  for (const [usage, tokens, source] of rows) {
    vendor.plan(() => jsonReply(200, { object: 'list', data: plain(VECTOR), model: 'v', usage }), { times: 1 });
    assert.equal((await embed({ input: 'a b c' })).status, 200);
    const [record] = (await headgate.usage({ limit: '1' })).data;
    assert.deepEqual([record?.input_tokens, record?.usage_source], [tokens, source], JSON.stringify(usage));
  }
});

test('an answer in a vendor’s own form is read as OpenAI’s', async () => {
  const vectors = [
    [1, 2],
    [3, 4],
  ];
  const forms: readonly (readonly [form: object, tokens: number | null])[] = [
    [vectors, null],
    [vectors.map((embedding) => ({ embedding })), null],
    [{ embeddings: { float: vectors }, meta: { billed_units: { input_tokens: 9 } } }, 9],
    [{ embeddings: vectors, prompt_eval_count: 9 }, 9],
    [{ embeddings: vectors.map((values) => ({ values })), usageMetadata: { promptTokenCount: 9 } }, 9],
  ];
  for (const [form, tokens] of forms) {
    vendor.plan(() => jsonReply(200, form), { times: 2 });
    const about = JSON.stringify(form);
    const { status, json } = await embed({ input: ['a', 'b'] });
    assert.equal(status, 200, about);
    assert.partialDeepStrictEqual(json, { object: 'list', data: plain(...vectors) }, about);
    const base64 = await embed({ input: ['a', 'b'], encoding_format: 'base64' });
    assert.equal(base64.json.data[0]?.embedding, 'AACAPwAAAEA=', about);
    if (tokens !== null) assert.equal((await headgate.usage({ limit: '1' })).data[0]?.input_tokens, tokens, about);
  }
  for (const form of [{ embedding: { values: [1, 2] } }, { embedding: [1, 2] }]) {
    vendor.plan(() => jsonReply(200, form), { times: 1 });
    assert.partialDeepStrictEqual((await embed({ input: 'a' })).json, { data: plain([1, 2]) });
  }
});

test('what cannot be read, and fewer vectors than texts, are a 502 that says so', async () => {
  const two = ['a', 'b'];
  for (const [input, form, words] of [
    [two, { data: plain([1, 2]) }, '1 embeddings for 2 inputs'],
    [two, { data: [] }, '0 embeddings for 2 inputs'],
    ['a', { data: [] }, '0 embeddings for 1 inputs'],
    [[[1], [2]], { data: plain([1, 2]) }, '1 embeddings for 2 inputs'],
    [two, [[1, 2]], '1 embeddings for 2 inputs'],
    [two, { embeddings: [[1, 2]] }, '1 embeddings for 2 inputs'],
    [two, { embeddings: 'odd' }, 'no list of embeddings'],
    [two, ['odd', 7], 'no list of embeddings'],
    [two, [], 'no list of embeddings'],
    [two, { data: null }, 'without `data`'],
  ] as const) {
    vendor.plan(() => jsonReply(200, form), { times: 1 });
    const { status, json } = await embed({ input });
    const message = String((json as unknown as { error?: { message: string } }).error?.message);
    assert.equal(status, 502, JSON.stringify(form));
    assert.ok(message.includes(words), `${JSON.stringify(form)}: ${message}`);
  }
});

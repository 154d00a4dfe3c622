import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BadRequestError, NotFoundError } from 'openai';
import { lastBody, rejection, startLab } from './lab.ts';

const LENGTHS = { 'text-embedding-3-small': 1536, 'text-embedding-3-large': 3072, 'text-embedding-ada-002': 1536 };

/** No vendor is on: the built-in models have their bare names. */
const alone = await startLab('providers: {}');
const lab = await startLab(`
providers:
  lab:
    base_url: \${LAB_URL}
    only: [lab-small, { id: lab-embed, upstream: text-embedding-3-small, dimensions: 1536 }]
`);
after(() => Promise.all([alone[Symbol.asyncDispose](), lab[Symbol.asyncDispose]()]));

function lengthOf(vector: readonly number[]): number {
  return Math.hypot(...vector);
}

test('the built-in models give unit vectors of the right length, the same each time', async () => {
  const { embeddings } = alone.client;
  for (const [model, dimensions] of Object.entries(LENGTHS)) {
    // The client asks for base64 by itself, and decodes it.
    const { data, object, usage, model: named } = await embeddings.create({ model, input: 'The same text' });
    assert.deepEqual([object, named, usage.prompt_tokens, usage.total_tokens], ['list', model, 3, 3]);
    assert.equal(data[0]?.embedding.length, dimensions);
    assert(Math.abs(lengthOf(data[0].embedding) - 1) < 1e-6);
    const again = await embeddings.create({ model, input: ['Another', 'The same text'], encoding_format: 'float' });
    assert.deepEqual(again.data[1]?.embedding, data[0].embedding);
    assert.notDeepEqual(again.data[0]?.embedding, data[0].embedding);
  }
});

test('strings, tokens and lists of tokens are inputs, each with its index', async () => {
  const model = 'text-embedding-3-small';
  const inputs = [
    { input: 'one', count: 1 },
    { input: ['one', 'two', 'three'], count: 3 },
    { input: [1, 2, 3], count: 1 },
    { input: [[1, 2, 3], [4]], count: 2 },
  ];
  for (const { input, count } of inputs) {
    const { data } = await alone.client.embeddings.create({ model, input });
    assert.deepEqual(
      data.map(({ index, object, embedding }) => [index, object, embedding.length]),
      Array.from({ length: count }, (_, index) => [index, 'embedding', 1536]),
    );
  }
});

test('dimensions shorten a vector, which stays a unit vector', async () => {
  const { data } = await alone.client.embeddings.create({
    model: 'text-embedding-3-large',
    input: 'short',
    dimensions: 256,
  });
  assert.equal(data[0]?.embedding.length, 256);
  assert(Math.abs(lengthOf(data[0].embedding) - 1) < 1e-6);
});

test('bad inputs are refused with the name of the parameter', async () => {
  const { embeddings } = alone.client;
  const model = 'text-embedding-3-small';
  const refused: [object, string][] = [
    [{ model }, 'input'],
    [{ model, input: '' }, 'input'],
    [{ model, input: [] }, 'input'],
    [{ model, input: ['a', ''] }, 'input[1]'],
    [{ model, input: 'a', dimensions: 0 }, 'dimensions'],
    [{ model, input: 'a', dimensions: 1537 }, 'dimensions'],
    [{ model, input: 'a', encoding_format: 'hex' }, 'encoding_format'],
    [{ model: 'echo', input: 'a' }, 'model'],
  ];
  for (const [body, param] of refused) {
    const error = await rejection(embeddings.create(body as Parameters<typeof embeddings.create>[0]), BadRequestError);
    assert.equal(error.param, param, JSON.stringify(body));
  }
});

test('beside a vendor the built-in models are called by their full names only', async () => {
  for (const [model, dimensions] of Object.entries(LENGTHS)) {
    const error = await rejection(lab.client.embeddings.create({ model, input: 'a' }), NotFoundError);
    assert.equal(error.code, 'model_not_found');
    assert.match(error.message, new RegExp(`\`echo/${model}\``), 'the right name is among the nearest');
    const { data } = await lab.client.embeddings.create({ model: `echo/${model}`, input: 'a' });
    assert.equal(data[0]?.embedding.length, dimensions);
  }
  const listed = (await lab.client.models.list()).data.map(({ id }) => id);
  assert.deepEqual(listed, ['lab-small', 'lab-embed', 'echo', ...Object.keys(LENGTHS).map((id) => `echo/${id}`)]);
});

test('a vendor’s embeddings pass in both encodings, and have a record', async () => {
  const input = ['é 日本', 'two'];
  const { data, response } = await lab.client.embeddings.create({ model: 'lab-embed', input }).withResponse();
  assert.equal(
    lastBody(lab.vendor),
    JSON.stringify({ model: 'text-embedding-3-small', input, encoding_format: 'base64' }),
  );
  assert.deepEqual(
    data.data.map(({ embedding }) => embedding.length),
    [1536, 1536],
  );
  const floats = await lab.client.embeddings.create({ model: 'lab-embed', input, encoding_format: 'float' });
  assert.deepEqual(floats.data[0]?.embedding, data.data[0]?.embedding);
  const short = await lab.client.embeddings.create({ model: 'lab-embed', input: [1, 2], dimensions: 8 });
  assert.equal(short.data[0]?.embedding.length, 8);

  const record = await lab.record(response.headers.get('x-request-id'));
  assert.deepEqual(
    [record.model, record.upstream_model, record.input_tokens, record.output_tokens, record.total_tokens],
    ['lab-embed', 'text-embedding-3-small', data.usage.prompt_tokens, 0, data.usage.total_tokens],
  );
  assert.deepEqual([record.usage_source, record.streamed, record.status], ['provider', false, 'succeeded']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImport } from './read.ts';

const STAMP = { source: 'models.dev', date: '2026-07-02' };

function read(vendors: object) {
  return readImport(JSON.stringify(vendors), STAMP);
}

/** The cost that is read from a model's `cost`. */
function costOf(cost: unknown) {
  return read({ openai: { models: { m: { name: 'M', cost } } } })
    .file.get('openai')
    ?.get('m')?.cost;
}

test('both shapes are read, and vendors get our names in our order', () => {
  const vendors = { togetherai: { models: { a: { name: 'A' } } }, openai: { models: { b: { name: 'B' } } } };
  for (const shape of [vendors, { providers: vendors }]) {
    const { file } = read(shape);
    assert.deepEqual([...file.keys()], ['openai', 'together']);
    assert.deepEqual(file.get('together')?.get('a'), { name: 'A', ...STAMP });
  }
});

test('models stand in the order of their names', () => {
  const { file } = read({ groq: { models: { c: {}, a: {}, b: {} } } });
  assert.deepEqual([...(file.get('groq')?.keys() ?? [])], ['a', 'b', 'c']);
});

test('vendors that no preset stands for are left out and counted', () => {
  const { file, unknownVendors, unknownModels } = read({
    groq: { models: { a: {} } },
    nobody: { models: { a: {}, b: {} } },
    other: { models: { c: {} } },
  });
  assert.deepEqual([...file.keys()], ['groq']);
  assert.deepEqual([unknownVendors, unknownModels], [['nobody', 'other'], 3]);
});

test('the spellings of cached tokens are one', () => {
  assert.deepEqual(costOf({ input: 1, output: 2, cached_input: 0.1, cached_write: 0.3 }), {
    input: 1,
    output: 2,
    cache_read: 0.1,
    cache_write: 0.3,
  });
  assert.deepEqual(costOf({ input: 1, output: 2, cache_input: 0.1 }), { input: 1, output: 2, cache_read: 0.1 });
});

test('tiers of either kind are by the length of the prompt', () => {
  const tiers = [{ tier: { type: 'context', size: 272_000 }, input: 2, output: 4 }];
  const read = { input: 1, output: 2, tiers: [{ above: 272_000, input: 2, output: 4 }] };
  assert.deepEqual(costOf({ input: 1, output: 2, tiers }), read);
  assert.deepEqual(costOf({ input: 1, output: 2, tiers, context_over_200k: { input: 9 } }), read);
  assert.deepEqual(costOf({ input: 1, output: 2, context_over_200k: { input: 2, output: 3 } }), {
    input: 1,
    output: 2,
    tiers: [{ above: 200_000, input: 2, output: 3 }],
  });
});

test('a price with a part that cannot be billed is left out and named', () => {
  const { file, unpriced } = read({
    perplexity: {
      models: {
        searches: { cost: { input: 2, output: 8, request: 5 } },
        hours: { cost: { input: 2, output: 8, tiers: [{ tier: { type: 'time', size: 5 }, input: 1 }] } },
        free: { cost: { input: 2, output: 8, request: 0 } },
        unknown: {},
      },
    },
  });
  assert.deepEqual(unpriced, ['perplexity/hours', 'perplexity/searches']);
  assert.equal(file.get('perplexity')?.get('searches')?.cost, undefined);
  assert.deepEqual(file.get('perplexity')?.get('free')?.cost, { input: 2, output: 8 });
});

test('a well-known embedding model gets the length of its vectors', () => {
  const { file } = read({ openai: { models: { 'text-embedding-3-large': {}, 'gpt-4o': {} } } });
  assert.equal(file.get('openai')?.get('text-embedding-3-large')?.dimensions, 3072);
  assert.equal(file.get('openai')?.get('gpt-4o')?.dimensions, undefined);
});

test('a field of the wrong type is not stated; the file cannot set its own source', () => {
  const { file } = read({
    groq: {
      models: { a: { name: 7, limit: { context: '8k', output: 5 }, tool_call: 'yes', source: 'me', date: 'now' } },
    },
  });
  assert.deepEqual(file.get('groq')?.get('a'), { name: 'a', limit: { output: 5 }, ...STAMP });
});

test('a file of another shape is refused', () => {
  assert.throws(() => readImport('{', STAMP), /The file is not JSON/);
  for (const other of ['[]', '{}', '{"openai":[]}', '{"nobody":{"models":{"a":{}}}}']) {
    assert.throws(() => readImport(other, STAMP), /no models of a vendor that is known here/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quirks } from '../core/quirks.ts';
import { DEEPINFRA, OPENROUTER, TOGETHER } from '../providers/quirks.ts';
import { model } from '../testing/routes.ts';
import { parseStoredFacts, readFacts, type VendorFacts, withVendorFacts } from './vendor-facts.ts';

const read = (item: unknown, quirks: Quirks = {}) => readFacts(item, { quirks });

test('the words of many vendors’ lists are read', () => {
  const cases: readonly [item: object, facts: VendorFacts][] = [
    [{ max_model_len: 32_768 }, { contextWindow: 32_768 }],
    [
      { context_window: 131_072, max_completion_tokens: 8192 },
      { contextWindow: 131_072, maxOutputTokens: 8192 },
    ],
    [
      { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
      { contextWindow: 1_048_576, maxOutputTokens: 65_536 },
    ],
    [
      { max_context_length: 40_960, capabilities: { completion_chat: true, function_calling: true, vision: false } },
      {
        contextWindow: 40_960,
        modalities: { input: ['text'], output: ['text'] },
        capabilities: { tools: true, attachment: false },
      },
    ],
    [
      {
        max_input_tokens: 200_000,
        max_tokens: 64_000,
        capabilities: {
          image_input: { supported: true },
          pdf_input: { supported: true },
          structured_outputs: { supported: true },
          thinking: { supported: true, types: {} },
        },
      },
      {
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
        modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
        capabilities: { reasoning: true, structuredOutput: true, attachment: true },
      },
    ],
    [
      {
        context_length: 128_000,
        top_provider: { context_length: 64_000, max_completion_tokens: 16_384 },
        architecture: { input_modalities: ['text', 'file'], output_modalities: ['text'] },
        supported_parameters: ['tools', 'temperature', 'max_tokens'],
      },
      {
        contextWindow: 128_000,
        maxOutputTokens: 16_384,
        modalities: { input: ['text', 'pdf'], output: ['text'] },
        capabilities: { tools: true, reasoning: false, structuredOutput: false, temperature: true, attachment: true },
      },
    ],
    [
      { context_length: 4096, supports_tools: true },
      { contextWindow: 4096, capabilities: { tools: true } },
    ],
    [{ metadata: { context_length: 8192, max_tokens: 4096 } }, { contextWindow: 8192, maxOutputTokens: 4096 }],
  ];
  for (const [item, facts] of cases) assert.deepEqual(read(item), facts, JSON.stringify(item));
});

test('what is none of these is left out', () => {
  for (const odd of [null, 7, 'x', [], {}, { max_model_len: -1 }, { max_model_len: '5' }, { context_length: 1e12 }]) {
    assert.deepEqual(read(odd), {});
  }
  assert.deepEqual(read({ architecture: { input_modalities: [7, 'A B', null] }, capabilities: 'all', pricing: 5 }), {});
});

test('a price is read where its unit is known and tokens are all that it counts', () => {
  const rates = { input: '1250000', output: '10000000' };
  const plain = { prompt: '0.00000125', completion: '0.00001' };
  assert.deepEqual(read({ pricing: plain }).price, { rates });
  assert.deepEqual(read({ pricing: { ...plain, request: '0', image: '0', web_search: '0.01' } }).price, {
    rates,
    search: '10000000000',
  });
  const refused = [
    { prompt: 1.25, completion: 10 },
    { input: 1.25, output: 10 },
    { ...plain, request: '0.005' },
    { ...plain, tomorrow: '0.1' },
    { ...plain, prompt: '-1' },
    { ...plain, prompt: '1.25' },
    { prompt: '0', completion: '0' },
    { prompt: '0.1' },
    { ...plain, overrides: [{ prompt: '9' }] },
    { prompt: '0.000001' },
    { completion: '0.000001' },
    { prompt: 0.000001, completion: 0.000002 },
    { ...plain, request: '' },
    { ...plain, web_search: '101' },
    { ...plain, completion: 'Infinity' },
  ];
  for (const pricing of refused) assert.equal(read({ pricing }).price, undefined, JSON.stringify(pricing));
  assert.deepEqual(read({ pricing: { ...plain, input_cache_read: '0', web_search: '0', image: null } }).price, {
    rates,
  });
  assert.deepEqual(read({ pricing: { prompt: '0.00000125', completion: '0' } }).price, {
    rates: { input: '1250000', output: '0' },
  });
  const free = { pricing: { prompt: '0', completion: '0' } };
  assert.deepEqual(read(free, OPENROUTER).price, { rates: { input: '0', output: '0' } });
  assert.deepEqual(read({ pricing: { input: 1.25, output: 10, hourly: 0, base: 0, finetune: 3 } }, TOGETHER).price, {
    rates,
  });
  const metadata = { pricing: { input_tokens: 1.25, output_tokens: 10, cache_read_tokens: 0.125 } };
  assert.deepEqual(read({ metadata }, DEEPINFRA).price, { rates: { ...rates, cache_read: '125000' } });
});

test('only what nobody else says is filled, and what is filled is named', () => {
  const facts = read({
    context_length: 5,
    max_completion_tokens: 4,
    pricing: { prompt: '0.000001', completion: '0.000002' },
  });
  const known = { ...model('small', [1, 2]), contextWindow: 9, maxOutputTokens: null };
  const filled = withVendorFacts(known, facts, true);
  assert.deepEqual([filled.contextWindow, filled.maxOutputTokens, filled.price], [9, 4, known.price]);
  assert.deepEqual(filled.fromVendor, ['max_output_tokens']);
  const bare = model('small', null, { contextWindow: null, maxOutputTokens: null });
  assert.equal(withVendorFacts(bare, facts, true).price?.source, 'vendor');
  assert.equal(withVendorFacts(bare, facts, false).price, null);
});

test('facts are the same after they were kept', () => {
  const facts: VendorFacts = {
    ...read({
      context_length: 5,
      max_tokens: 4,
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['structured_outputs'],
    }),
    price: { rates: { input: '1', output: '2' }, search: '3', date: '2026-11-27' },
  };
  assert.deepEqual(parseStoredFacts(JSON.parse(JSON.stringify(facts))), facts);
  assert.deepEqual(parseStoredFacts({ contextWindow: 'x', price: { rates: { input: -1 } } }), {});
  assert.deepEqual(parseStoredFacts({ price: { rates: {} } }), {});
  assert.deepEqual(parseStoredFacts({ price: { rates: { input: '1' }, search: 'x' } }), {});
});

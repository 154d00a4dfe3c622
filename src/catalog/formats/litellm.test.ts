import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImport } from './read.ts';

const STAMP = { source: 'a list', date: '2026-11-01' };

function read(models: Record<string, object>) {
  return readImport(JSON.stringify(models), STAMP);
}

/** The row of a model of OpenAI that costs 1 and 2 dollars per million tokens. */
function rowOf(facts: object) {
  const price = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const { file } = read({ m: { litellm_provider: 'openai', mode: 'chat', ...price, ...facts } });
  return file.get('openai')?.get('m');
}

test('rates are per million tokens, without what is left over of binary fractions', () => {
  const row = rowOf({
    input_cost_per_token: 2.8e-7,
    cache_read_input_token_cost: 2.8e-8,
    cache_creation_input_token_cost: 1.25e-5,
    cache_creation_input_token_cost_above_1hr: 2e-5,
    cache_creation_input_token_cost_above_12hr: 3e-5,
    cache_creation_input_token_cost_above_30min: 15e-6,
    output_cost_per_reasoning_token: 3e-6,
    input_cost_per_audio_token: 1e-6,
    output_cost_per_audio_token: 4e-6,
  });
  assert.deepEqual(row?.cost, {
    input: 0.28,
    output: 2,
    cache_read: 0.028,
    cache_write: 12.5,
    cache_write_1h: 20,
    cache_write_12h: 30,
    cache_write_30m: 15,
    reasoning: 3,
    input_audio: 1,
    output_audio: 4,
  });
});

test('long prompts and tiers of service have rates of their own, and both together', () => {
  const row = rowOf({
    input_cost_per_token_above_272k_tokens: 3e-6,
    input_cost_per_token_flex: 5e-7,
    output_cost_per_token_flex: 1e-6,
    input_cost_per_token_above_272k_tokens_flex: 15e-7,
    input_cost_per_token_batches: 25e-8,
    output_cost_per_token_ultrafast: 9e-6,
    cache_creation_input_token_cost_above_12hr_above_272k_tokens_flex: 5e-5,
  });
  assert.deepEqual(row?.cost, {
    input: 1,
    output: 2,
    tiers: [{ above: 272_000, input: 3 }],
    services: {
      flex: { input: 0.5, output: 1, tiers: [{ above: 272_000, input: 1.5, cache_write_12h: 50 }] },
      batch: { input: 0.25 },
      ultrafast: { output: 9 },
    },
  });
});

test('limits, abilities and the day of its end are taken; who says so is named with the page', () => {
  const row = rowOf({
    max_input_tokens: 272_000,
    max_output_tokens: 128_000,
    supports_vision: true,
    supports_pdf_input: true,
    supports_reasoning: true,
    supports_function_calling: true,
    deprecation_date: '2026-12-11',
    source: 'https://example.com/prices',
  });
  assert.deepEqual(row, {
    name: 'm',
    shut_down: '2026-12-11',
    limit: { input: 272_000, output: 128_000 },
    modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
    attachment: true,
    reasoning: true,
    tool_call: true,
    temperature: false,
    cost: { input: 1, output: 2 },
    source: 'a list: https://example.com/prices',
    date: '2026-11-01',
  });
});

test('what cannot be billed by tokens alone has no price, and is told', () => {
  assert.equal(rowOf({ citation_cost_per_token: 2e-6 })?.cost, undefined);
  assert.equal(rowOf({ input_cost_per_request: 0.005 })?.cost, undefined);
  assert.equal(rowOf({ output_cost_per_token: undefined })?.cost, undefined);
  const search = { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const unpriced = (vendor: string) => read({ 'gpt-9-search-api': { litellm_provider: vendor, ...search } }).unpriced;
  assert.deepEqual(unpriced('azure'), ['azure/gpt-9-search-api']);
  assert.deepEqual(unpriced('openai'), []);
});

test('a search has one price for a call, or one by how much of what it found is read', () => {
  const tokens = { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const sizes = (low: number, high: number) => ({
    search_context_cost_per_query: { search_context_size_low: low, search_context_size_high: high },
  });
  const perCall = (vendor: string, search: object) =>
    read({ m: { ...tokens, litellm_provider: vendor, ...search } })
      .file.get(vendor)
      ?.get('m')?.cost?.per_call;
  assert.deepEqual(perCall('openai', sizes(0.01, 0.01)), { web_search: 0.01 });
  assert.deepEqual(perCall('anthropic', sizes(0.01, 0.01)), { web_search: 0.01, web_fetch: 0 });
  assert.deepEqual(perCall('perplexity', sizes(0.005, 0.012)), { web_search_low: 0.005, web_search_high: 0.012 });
  assert.equal(perCall('openai', { search_context_cost_per_query: {} }), undefined);
});

test('a row for a region says by how much a model costs more there, if that is one factor', () => {
  const row = (input: number, output: number, name = 'azure/gpt-5') => ({
    [name]: { mode: 'chat', litellm_provider: 'azure', input_cost_per_token: input, output_cost_per_token: output },
  });
  const { file } = read({
    ...row(1.375e-6, 11e-6, 'azure/eu/gpt-5'),
    ...row(1.25e-6, 10e-6),
    ...row(1.25e-6, 10e-6, 'azure/global/gpt-5'),
    ...row(1.4e-6, 11e-6, 'azure/us/gpt-5'),
    ...row(5e-6, 11e-6, 'azure/odd/gpt-5'),
    ...row(5e-6, 11e-6, 'azure/eu/gpt-0'),
  });
  assert.deepEqual(file.get('azure')?.get('gpt-5')?.cost?.regions, { eu: 1.1, us: 1.1 });
  assert.deepEqual([...(file.get('azure')?.keys() ?? [])], ['gpt-5']);
});

test('a dated name that costs what its model does costs as much more in its regions', () => {
  const row = (input: number, output: number, name: string) => ({
    [name]: { litellm_provider: 'azure', mode: 'chat', input_cost_per_token: input, output_cost_per_token: output },
  });
  const { file } = read({
    ...row(1e-6, 10e-6, 'azure/gpt-5'),
    ...row(1.1e-6, 11e-6, 'azure/eu/gpt-5'),
    ...row(1e-6, 10e-6, 'azure/gpt-5-2026-08-05'),
    ...row(2e-6, 10e-6, 'azure/gpt-5-2026-09-05'),
  });
  const regionsOf = (id: string) => file.get('azure')?.get(id)?.cost?.regions;
  assert.deepEqual(regionsOf('gpt-5-2026-08-05'), { eu: 1.1 });
  assert.deepEqual(regionsOf('gpt-5-2026-09-05'), undefined, 'another price');
});

test('vendors get our names, their prefix goes, and what is no model of everybody’s is left out', () => {
  const chat = { mode: 'chat' };
  const { file, unknownVendors, unknownModels } = read({
    'together_ai/org/a': { ...chat, litellm_provider: 'together_ai' },
    'together-ai-4.1b-8b': { ...chat, litellm_provider: 'together_ai' },
    'ft:gpt-4o': { ...chat, litellm_provider: 'openai' },
    'azure/gpt-5': { ...chat, litellm_provider: 'azure' },
    'azure/eu/gpt-5': { ...chat, litellm_provider: 'azure' },
    'dall-e-3': { mode: 'image_generation', litellm_provider: 'openai' },
    'deepseek-chat': { ...chat, litellm_provider: 'deepseek', max_output_tokens: 1 },
    'deepseek/deepseek-chat': { ...chat, litellm_provider: 'deepseek', max_output_tokens: 2 },
    'bedrock/a': { ...chat, litellm_provider: 'bedrock' },
  });
  const found = [...file].flatMap(([vendor, rows]) => [...rows.keys()].map((id) => `${vendor}/${id}`));
  assert.deepEqual(found, ['azure/gpt-5', 'deepseek/deepseek-chat', 'together/org/a']);
  assert.equal(file.get('deepseek')?.get('deepseek-chat')?.limit?.output, 2);
  assert.deepEqual([unknownVendors, unknownModels], [['bedrock'], 1]);
});

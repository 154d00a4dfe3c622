import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImport } from './read.ts';

const STAMP = { source: 'OpenRouter', date: '2026-11-22' };

function read(...data: object[]) {
  return readImport(JSON.stringify({ data }), STAMP);
}

test('its list is read with prices per million tokens, limits and abilities', () => {
  const { file } = read({
    id: 'maker/model',
    name: 'Maker: Model',
    context_length: 200_000,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025', image: '0', request: '0' },
    top_provider: { max_completion_tokens: 64_000 },
    supported_parameters: ['tools', 'reasoning', 'temperature'],
  });
  assert.deepEqual(file.get('openrouter')?.get('maker/model'), {
    name: 'Maker: Model',
    limit: { context: 200_000, output: 64_000 },
    modalities: { input: ['text', 'image'], output: ['text'] },
    reasoning: true,
    tool_call: true,
    structured_output: false,
    temperature: true,
    cost: { input: 2.5, output: 10, cache_read: 0.25 },
    ...STAMP,
  });
});

test('a price by request, one that is not known before, and none at all are no price, and are told', () => {
  const { file, unpriced } = read(
    { id: 'by/request', pricing: { prompt: '0', completion: '0', request: '0.005' } },
    { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'free', pricing: { prompt: '0', completion: '0' } },
    { id: 'none' },
  );
  assert.deepEqual(unpriced, ['openrouter/by/request', 'openrouter/auto', 'openrouter/none']);
  assert.deepEqual(file.get('openrouter')?.get('free')?.cost, { input: 0, output: 0 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Usage, usageOf } from '../core/usage.ts';
import { readUsage } from './openai-usage.ts';

const VENDORS: readonly [vendor: string, stated: unknown, expected: Partial<Usage>][] = [
  [
    'OpenAI',
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 60, audio_tokens: 5, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 3, accepted_prediction_tokens: 1 },
    },
    {
      inputTokens: 100,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
      audioInputTokens: 5,
      outputTokens: 50,
      reasoningTokens: 20,
      audioOutputTokens: 3,
    },
  ],
  [
    'xAI, which counts reasoning beside the completion',
    {
      prompt_tokens: 291,
      completion_tokens: 26,
      total_tokens: 420,
      prompt_tokens_details: { cached_tokens: 256 },
      completion_tokens_details: { reasoning_tokens: 103 },
    },
    { inputTokens: 291, cacheReadTokens: 256, outputTokens: 129, reasoningTokens: 103 },
  ],
  [
    'DeepSeek, with hits of its cache at the top',
    { prompt_tokens: 140, completion_tokens: 9, prompt_cache_hit_tokens: 128, prompt_cache_miss_tokens: 12 },
    { inputTokens: 140, cacheReadTokens: 128, outputTokens: 9 },
  ],
  [
    'DeepSeek, with both',
    {
      prompt_tokens: 140,
      completion_tokens: 9,
      prompt_cache_hit_tokens: 128,
      prompt_tokens_details: { cached_tokens: 128 },
    },
    { inputTokens: 140, cacheReadTokens: 128, outputTokens: 9 },
  ],
  [
    'Moonshot, with cached tokens at the top',
    { prompt_tokens: 64, completion_tokens: 4, total_tokens: 68, cached_tokens: 48 },
    { inputTokens: 64, cacheReadTokens: 48, outputTokens: 4 },
  ],
  [
    'Groq, with times among the counts',
    {
      queue_time: 0.04,
      prompt_tokens: 78,
      prompt_time: 0.003,
      completion_tokens: 21,
      completion_time: 0.02,
      total_tokens: 99,
      completion_tokens_details: { reasoning_tokens: 12 },
    },
    { inputTokens: 78, outputTokens: 21, reasoningTokens: 12 },
  ],
  [
    'Mistral, without details',
    { prompt_tokens: 16, total_tokens: 43, completion_tokens: 27 },
    { inputTokens: 16, outputTokens: 27 },
  ],
  [
    'null details',
    { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: null },
    { inputTokens: 5, outputTokens: 1 },
  ],
  ['embeddings', { prompt_tokens: 8, total_tokens: 8 }, { inputTokens: 8 }],
  ['zero', { prompt_tokens: 0, completion_tokens: 0 }, {}],
  [
    'more cached than there is',
    { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 11 },
    { inputTokens: 10, cacheReadTokens: 10, outputTokens: 1 },
  ],
  [
    'counts that are none',
    {
      prompt_tokens: 10,
      completion_tokens: -1,
      cached_tokens: 1.5,
      completion_tokens_details: { reasoning_tokens: '7' },
    },
    { inputTokens: 10 },
  ],
];

for (const [vendor, stated, expected] of VENDORS) {
  test(`usage as stated by ${vendor}`, () => assert.deepEqual(readUsage(stated), usageOf(expected)));
}

test('the service tier is kept where it is a word', () => {
  assert.equal(readUsage({ prompt_tokens: 1 }, 'flex')?.serviceTier, 'flex');
  assert.ok(!('serviceTier' in (readUsage({ prompt_tokens: 1 }, null) ?? {})));
});

test('what says nothing of the prompt is no usage', () => {
  for (const stated of [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { completion_tokens: 5 },
    { prompt_tokens: null },
    { prompt_tokens: -1 },
  ]) {
    assert.equal(readUsage(stated), null, JSON.stringify(stated));
  }
});

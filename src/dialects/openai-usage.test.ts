import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Usage, usageOf } from '../core/usage.ts';
import { laterUsage, readUsage } from './openai-usage.ts';

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
    'Gemini, whose thoughts stand in the total alone',
    { completion_tokens: 3, prompt_tokens: 9, total_tokens: 105 },
    { inputTokens: 9, outputTokens: 96, reasoningTokens: 93 },
  ],
  [
    'Gemini, where thinking took all',
    { completion_tokens: 0, prompt_tokens: 9, total_tokens: 105, prompt_tokens_details: { cached_tokens: 4 } },
    { inputTokens: 9, cacheReadTokens: 4, outputTokens: 96, reasoningTokens: 96 },
  ],
  [
    'a server whose total has the tokens of a cache, too',
    { prompt_tokens: 368, completion_tokens: 19, total_tokens: 10_923, cache_read_input_tokens: 10_536 },
    { inputTokens: 368, outputTokens: 19 },
  ],
  [
    'a server that tells the details of a completion without reasoning',
    {
      prompt_tokens: 9,
      completion_tokens: 3,
      total_tokens: 105,
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    { inputTokens: 9, outputTokens: 3 },
  ],
  ['embeddings whose total is more', { prompt_tokens: 8, total_tokens: 20 }, { inputTokens: 8 }],
  [
    'Alibaba, with another name for what a cache was written of',
    {
      prompt_tokens: 5100,
      completion_tokens: 9,
      total_tokens: 5109,
      prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 5000 },
    },
    { inputTokens: 5100, cacheWriteTokens: 5000, outputTokens: 9 },
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
  assert.equal(readUsage({ prompt_tokens: 1 }, { service_tier: 'flex' })?.serviceTier, 'flex');
  assert.ok(!('serviceTier' in (readUsage({ prompt_tokens: 1 }, { service_tier: null }) ?? {})));
});

test('how long caches are kept is told beside the ordinary life, which has no name', () => {
  const details = { cached_tokens: 5, cache_write_tokens: 60 };
  const read = (lives: unknown) =>
    readUsage({ input_tokens: 100, input_tokens_details: { ...details, cache_write_tokens_details: lives } });
  const usage = usageOf({ inputTokens: 100, cacheReadTokens: 5, cacheWriteTokens: 60 });
  assert.deepEqual(read({ ttl_30m_tokens: 20, ttl_12h_tokens: 40 }), { ...usage, cacheWritesByLife: { '12h': 40 } });
  for (const none of [
    undefined,
    null,
    7,
    {},
    { ttl_30m_tokens: 60 },
    { ttl_12h_tokens: -1 },
    { 'ttl_A B_tokens': 4 },
  ]) {
    assert.deepEqual(read(none), usage, JSON.stringify(none));
  }
  assert.equal(read({ ttl_12h_tokens: 90 })?.cacheWriteTokens, 90, 'never less than its parts');
});

test('calls of a vendor’s own tools are counted where its usage tells them', () => {
  const calls = (wire: object, beside = {}) => readUsage({ prompt_tokens: 1, ...wire }, beside)?.toolCalls;
  const openai = { image_gen: { total_tokens: 0 }, web_search: { num_requests: 3 } };
  assert.deepEqual(calls({}, { tool_usage: openai }), { web_search: 3 });
  assert.deepEqual(calls({}, { tool_usage: { image_gen: { total_tokens: 90 } } }), { image_gen: 1 });
  assert.deepEqual(calls({ server_tool_use: { web_search_requests: 2 } }), { web_search: 2 });
  assert.deepEqual(calls({ server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 0 } }), {
    web_search: 1,
  });
  assert.deepEqual(calls({ num_server_side_tools_used: 2 }), { server_side_tool: 2 });
  assert.deepEqual(calls({ search_context_size: 'low' }), { web_search_low: 1 });
  assert.deepEqual(calls({ search_context_size: 'high', num_search_queries: 4 }), { web_search_high: 4 });
  for (const none of [{}, { num_server_side_tools_used: 0 }, { server_tool_use: null }, { search_context_size: 7 }]) {
    assert.equal(calls(none), undefined, JSON.stringify(none));
  }
});

test('calls of OpenAI’s own tools are counted by their items, where the usage says nothing of them', () => {
  const calls = (output: object[], beside = {}, wire = {}) =>
    readUsage({ input_tokens: 1, ...wire }, { ...beside, output })?.toolCalls;
  const search = { type: 'web_search_call', action: { type: 'search' }, status: 'completed' };
  const items = [
    search,
    { ...search, action: { type: 'open_page' } },
    { ...search, status: 'failed' },
    { type: 'file_search_call' },
    { type: 'code_interpreter_call' },
    { type: 'image_generation_call' },
    { type: 'function_call' },
    { type: 'mcp_call' },
  ];
  const all = { web_search: 1, file_search: 1, code_interpreter: 1, image_gen: 1 };
  assert.deepEqual(calls(items), all);
  const told = { image_gen: { total_tokens: 0 }, web_search: { num_requests: 3 } };
  assert.deepEqual(calls(items, { tool_usage: told }), { web_search: 3, file_search: 1, code_interpreter: 1 });
  assert.deepEqual(calls(items, {}, { num_server_side_tools_used: 2 }), { server_side_tool: 2 });
  assert.deepEqual(calls(Array.from({ length: 40 }, () => search)), { web_search: 40 });
  assert.equal(calls([{ type: 'message' }]), undefined);
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

test('a prompt does not become nothing where a stream tells its usage again', () => {
  const first = usageOf({ inputTokens: 5, outputTokens: 3, reasoningTokens: 1 });
  const nothing = usageOf({});
  assert.deepEqual(laterUsage(first, nothing), first);
  assert.deepEqual(laterUsage(first, null), first);
  assert.deepEqual(laterUsage(null, nothing), nothing);
  assert.deepEqual(laterUsage(nothing, first), first);
  assert.deepEqual(laterUsage(first, usageOf({ outputTokens: 4 })), { ...first, outputTokens: 4 });
  assert.equal(laterUsage(first, usageOf({ reportedCost: '0.5' }))?.reportedCost, '0.5');
  const priced = { ...first, reportedCost: '0.5' };
  assert.deepEqual(laterUsage(priced, first), priced, 'a cost that was told stays');
  assert.equal(laterUsage(priced, { ...first, reportedCost: '0.7' })?.reportedCost, '0.7');
  const fewer = usageOf({ inputTokens: 4, outputTokens: 2 });
  assert.deepEqual(laterUsage(first, fewer), fewer);
});

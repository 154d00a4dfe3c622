import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageOf } from '../../core/usage.ts';
import { mayShowCalls, ShownCalls } from './shown-calls.ts';
import { mergeUsage, readUsage } from './usage.ts';

const COUNTS = { input_tokens: 10, output_tokens: 5 };
const PLAIN = usageOf({ inputTokens: 10, outputTokens: 5 });

test('caches are told apart by how long they are kept; the ordinary life has no name', () => {
  const read = (lives: unknown) => readUsage({ ...COUNTS, cache_creation_input_tokens: 90, cache_creation: lives });
  const written = usageOf({ inputTokens: 100, cacheWriteTokens: 90, outputTokens: 5 });
  const lives = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30, ephemeral_12h_input_tokens: 40 };
  assert.deepEqual(read(lives), { ...written, cacheWritesByLife: { '1h': 30, '12h': 40 } });
  for (const none of [null, undefined, { ephemeral_5m_input_tokens: 90 }]) assert.deepEqual(read(none), written);
  assert.equal(readUsage({ ...COUNTS, cache_creation: { ephemeral_1h_input_tokens: 7 } })?.cacheWriteTokens, 7);
});

test('calls of tools, the region and the fast mode are read; places that are none in particular are not', () => {
  const told = {
    ...COUNTS,
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
    service_tier: 'standard',
  };
  assert.deepEqual(readUsage({ ...told, inference_geo: 'us', speed: 'fast' }), {
    ...PLAIN,
    serviceTier: 'fast',
    toolCalls: { web_search: 2 },
    region: 'us',
  });
  for (const geo of ['global', 'not_available', null, 7, 'New York']) {
    assert.equal(readUsage({ ...COUNTS, inference_geo: geo })?.region, undefined, String(geo));
  }
  assert.equal(readUsage({ ...told, speed: 'standard' })?.serviceTier, 'standard');
});

test('a compaction costs what the model costs that made it, where another served', () => {
  const compaction = { type: 'compaction', model: 'asked', input_tokens: 100, output_tokens: 2 };
  const served = { type: 'fallback_message', model: 'other', ...COUNTS };
  const usage = readUsage({ ...COUNTS, iterations: [compaction, served] });
  assert.deepEqual(usage?.byModel, [
    { model: 'other', usage: PLAIN },
    { model: 'asked', usage: usageOf({ inputTokens: 100, outputTokens: 2 }) },
  ]);
  assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [110, 7]);
  const own = readUsage({ ...COUNTS, iterations: [{ ...compaction, model: 'other' }, served] });
  assert.deepEqual(own?.byModel, [{ model: 'other', usage: usageOf({ inputTokens: 110, outputTokens: 7 }) }]);
});

test('a prompt does not become nothing at the end of a stream', () => {
  const start = { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 };
  const merged = (...ends: object[]) => readUsage(ends.reduce(mergeUsage, start));
  const whole = usageOf({ inputTokens: 14, cacheReadTokens: 4, outputTokens: 5 });
  const nothing = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  assert.deepEqual(merged({ ...nothing, output_tokens: 5 }), whole);
  assert.deepEqual(merged({ output_tokens: 5 }, nothing), whole);
  assert.equal(merged({ output_tokens: 0 })?.outputTokens, 0);
  const cached = { ...nothing, cache_read_input_tokens: 10, output_tokens: 5 };
  assert.deepEqual(merged(cached), usageOf({ inputTokens: 10, cacheReadTokens: 10, outputTokens: 5 }));
});

test('what a stream tells at its start and its end is put together', () => {
  const start = { ...COUNTS, inference_geo: 'us', cache_creation: { ephemeral_1h_input_tokens: 4 } };
  const end = { output_tokens: 9, server_tool_use: { web_search_requests: 1 }, cache_creation_input_tokens: 4 };
  assert.deepEqual(readUsage(mergeUsage(mergeUsage({}, start), end)), {
    ...usageOf({ inputTokens: 14, cacheWriteTokens: 4, outputTokens: 9 }),
    cacheWritesByLife: { '1h': 4 },
    toolCalls: { web_search: 1 },
    region: 'us',
  });
});

const COMPACTION = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 };

test('a compaction, which the counts at the top leave out, is added to them, of a stream too', () => {
  const top = { input_tokens: 23_000, output_tokens: 1000 };
  const told = { ...top, iterations: [COMPACTION, { type: 'message', ...top }] };
  const all = usageOf({ inputTokens: 203_000, outputTokens: 4500 });
  assert.deepEqual(readUsage(told), all);
  assert.deepEqual(readUsage(mergeUsage(mergeUsage({}, { ...top, output_tokens: 1 }), told)), all);
  const caches = { cache_read_input_tokens: 50, cache_creation_input_tokens: 9 };
  const cached = { ...caches, cache_creation: { ephemeral_1h_input_tokens: 7 } };
  assert.deepEqual(readUsage({ ...told, ...cached, iterations: [{ ...COMPACTION, ...cached }] }), {
    ...usageOf({ inputTokens: 203_118, cacheReadTokens: 100, cacheWriteTokens: 18, outputTokens: 4500 }),
    cacheWritesByLife: { '1h': 14 },
  });
});

test('what an advisor was asked, another model at another price, is told by its model, or else counted as calls of a tool', () => {
  const message = { type: 'message', ...COUNTS };
  const advisor = { type: 'advisor_message', model: 'larger', input_tokens: 2728, output_tokens: 874 };
  const told = { ...COUNTS, server_tool_use: { web_search_requests: 2 } };
  const main = { ...PLAIN, toolCalls: { web_search: 2 } };
  const asked = usageOf({ inputTokens: 2728, outputTokens: 874 });
  assert.deepEqual(readUsage({ ...told, iterations: [message, advisor, advisor] }), {
    ...main,
    inputTokens: 10 + 2 * 2728,
    outputTokens: 5 + 2 * 874,
    byModel: [
      { model: null, usage: main },
      { model: 'larger', usage: asked },
      { model: 'larger', usage: asked },
    ],
  });
  const unnamed = { ...advisor, model: null };
  assert.deepEqual(readUsage({ ...told, iterations: [message, unnamed, unnamed] }), {
    ...PLAIN,
    toolCalls: { web_search: 2, advisor: 2 },
  });
});

test('the counts are those of the fallback that served; who declined is told beside it, if it had begun to answer', () => {
  const begun = { type: 'message', model: 'first', input_tokens: 2, output_tokens: 3, cache_read_input_tokens: 40 };
  const silent = { type: 'message', model: 'second', input_tokens: 500, output_tokens: 0 };
  const round = { type: 'message', model: 'third', input_tokens: 4, output_tokens: 2 };
  const served = { type: 'fallback_message', model: 'third', input_tokens: 6, output_tokens: 3 };
  const told = { ...COUNTS, iterations: [begun, silent, COMPACTION, round, served] };
  const main = usageOf({ inputTokens: 180_010, outputTokens: 3505 });
  const first = usageOf({ inputTokens: 42, cacheReadTokens: 40, outputTokens: 3 });
  const all = usageOf({ inputTokens: 180_052, cacheReadTokens: 40, outputTokens: 3508 });
  const byModel = [
    { model: 'third', usage: main },
    { model: 'first', usage: first },
  ];
  assert.deepEqual(readUsage(told), { ...all, byModel });
  assert.deepEqual(readUsage(mergeUsage(mergeUsage({}, { ...COUNTS, output_tokens: 1 }), told)), { ...all, byModel });
  assert.deepEqual(readUsage({ ...COUNTS, iterations: [begun, silent] }), PLAIN, 'no other model served');
});

test('of iterations the first 64 are read, and what is none is passed over', () => {
  for (const iterations of [null, 7, {}, [null, 7, 'x', [], {}, { type: 'compaction' }, { type: 'tomorrow' }]]) {
    assert.deepEqual(readUsage({ ...COUNTS, iterations }), PLAIN, JSON.stringify(iterations));
  }
  const junk = { type: 'compaction', input_tokens: -1, output_tokens: '9', cache_creation: 7 };
  assert.deepEqual(readUsage({ ...COUNTS, iterations: [junk] }), PLAIN);
  const many = Array.from({ length: 100 }, () => ({ ...COMPACTION, input_tokens: 1, output_tokens: 2 }));
  assert.deepEqual(readUsage({ ...COUNTS, iterations: many }), usageOf({ inputTokens: 74, outputTokens: 133 }));
});

function shownIn(...blocks: object[]): ShownCalls {
  const shown = new ShownCalls();
  for (const block of blocks) shown.see(block as Record<string, unknown>);
  return shown;
}

const run = (name: string) => ({ type: 'server_tool_use', name, input: {} });
const SEARCH = { type: 'web_search_tool_result', content: [] };
const FETCH = { type: 'web_fetch_tool_result', content: { type: 'web_fetch_result', url: 'https://a.invalid' } };

test('runs of code are counted by their blocks, but for those of a search or a fetch', () => {
  const none = { web_search_requests: 0, web_fetch_requests: 0 };
  const code = shownIn(run('code_execution'), run('bash_code_execution'));
  for (const told of [undefined, none]) {
    assert.deepEqual(readUsage({ ...COUNTS, server_tool_use: told }, code)?.toolCalls, { code_execution: 2 });
  }
  const fetched = { ...none, web_fetch_requests: 1 };
  assert.deepEqual(readUsage({ ...COUNTS, server_tool_use: fetched }, code)?.toolCalls, { web_fetch: 1 });
  assert.equal(readUsage(COUNTS, shownIn())?.toolCalls, undefined);
  for (const name of ['code_execution', 'bash_code_execution', 'text_editor_code_execution']) {
    assert.deepEqual(shownIn(run(name)).counts, { code_execution: 1 }, name);
    assert.ok(mayShowCalls(Buffer.from(JSON.stringify([run(name)]))), name);
    assert.equal(shownIn({ ...run(name), type: 'tool_use' }).counts, undefined, name);
  }
  assert.equal(shownIn(run('web_search'), run('web_fetch')).counts, undefined);
});

test('searches and fetches are counted by what they returned, where the usage does not count tools', () => {
  const shown = shownIn(run('code_execution'), SEARCH, SEARCH, FETCH);
  assert.deepEqual(readUsage(COUNTS, shown)?.toolCalls, { web_search: 2, web_fetch: 1 });
  const told = { web_search_requests: 1 };
  assert.deepEqual(readUsage({ ...COUNTS, server_tool_use: told }, shown)?.toolCalls, { web_search: 1 });
  const none = { web_search_requests: 0 };
  assert.deepEqual(readUsage({ ...COUNTS, server_tool_use: none }, shown)?.toolCalls, { code_execution: 1 });
  const failed = ['web_search', 'web_fetch'].map((name) => ({
    type: `${name}_tool_result`,
    content: { type: `${name}_tool_result_error`, error_code: 'unavailable' },
  }));
  assert.equal(shownIn(...failed).counts, undefined);
  for (const block of [SEARCH, FETCH]) assert.ok(mayShowCalls(Buffer.from(JSON.stringify([block]))));
});

test('a block that a stream repeats is counted once', () => {
  const search = { ...SEARCH, tool_use_id: 's1' };
  const fetched = { ...FETCH, tool_use_id: 's1' };
  const code = { ...run('code_execution'), id: 's1' };
  const shown = shownIn(search, fetched, search, fetched, { ...search, tool_use_id: 's2' });
  assert.deepEqual(shown.counts, { web_search: 2, web_fetch: 1 });
  assert.deepEqual(shownIn(code, code, { ...code, id: 's2' }).counts, { code_execution: 2 });
});

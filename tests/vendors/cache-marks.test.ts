import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { startVendor } from './lab.ts';

/** Marks up to where a prompt may be cached, in either direction. */
const sent = await startVendor(
  ({ only }) => `
  openai: { ${only('gpt-5.6, gpt-5.5, gpt-6-sol')} }
  openrouter: { ${only('m')} }
  alibaba: { ${only('m')} }
  deepseek: { ${only('m')} }
  anthropic: { ${only('claude-opus-5-5')} }
`,
);

const MARK = { cache_control: { type: 'ephemeral' } };
const BREAKPOINT = { prompt_cache_breakpoint: { mode: 'explicit' } };
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const MESSAGES = {
  max_tokens: 64,
  system: [text('Rules.', MARK)],
  messages: [
    { role: 'user', content: [text('Look.'), text('Closely.', MARK)] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Seen.', ...MARK }] },
  ],
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
};

test('marks of messages reach OpenAI’s newest models on what the caller sends', async () => {
  for (const model of ['openai/gpt-5.6', 'openai/gpt-6-sol']) {
    const { json, dropped } = await sent('anthropic-messages', 'openai-responses', { model, ...MESSAGES });
    assert.equal(field(json, 'instructions'), undefined, 'instructions bear no mark');
    assert.partialDeepStrictEqual(field(json, 'input'), [
      { role: 'system', content: [{ type: 'input_text', text: 'Rules.', ...BREAKPOINT }] },
      { role: 'user', content: [{ text: 'Look.' }, { text: 'Closely.', ...BREAKPOINT }] },
      { type: 'function_call' },
      { type: 'function_call_output', output: [{ type: 'input_text', text: 'Seen.', ...BREAKPOINT }] },
    ]);
    assert.equal(JSON.stringify(json).split('breakpoint').length, 4);
    assert.equal(dropped, null);
  }
});

test('where there are none they are told, as are those that are too many, too long or in another place', async () => {
  const older = await sent('anthropic-messages', 'openai-responses', { model: 'openai/gpt-5.5', ...MESSAGES });
  assert.equal(field(older.json, 'instructions'), 'Rules.');
  assert.deepEqual([older.dropped, JSON.stringify(older.json).includes('breakpoint')], ['cache_control', false]);

  const content = ['a', 'b', 'c', 'd'].map((words) => text(words, MARK));
  const many = await sent('anthropic-messages', 'openai-responses', {
    model: 'openai/gpt-5.6',
    max_tokens: 64,
    messages: [{ role: 'user', content }],
  });
  assert.deepEqual(
    (field((field(many.json, 'input') as object[])[0], 'content') as object[]).map(
      (part) => 'prompt_cache_breakpoint' in part,
    ),
    [true, true, true, false],
  );
  assert.equal(many.dropped, 'cache_control');

  for (const more of [
    { system: [text('Rules.', { cache_control: { type: 'ephemeral', ttl: '1h' } })] },
    { tools: [{ ...MESSAGES.tools[0], ...MARK }] },
  ]) {
    const { dropped } = await sent('anthropic-messages', 'openai-responses', {
      model: 'openai/gpt-5.6',
      ...MESSAGES,
      ...more,
    });
    assert.equal(dropped, 'cache_control', JSON.stringify(more));
  }
  const { dropped } = await sent('anthropic-messages', 'openai-chat', { model: 'deepseek/m', ...MESSAGES });
  assert.equal(dropped, 'cache_control');
});

test('marks of messages reach vendors of chat that have them, as Anthropic writes them', async () => {
  const { json } = await sent('anthropic-messages', 'openai-chat', { model: 'openrouter/m', ...MESSAGES });
  assert.partialDeepStrictEqual(field(json, 'messages'), [
    { role: 'system', content: [text('Rules.', MARK)] },
    { role: 'user', content: [text('Look.'), text('Closely.', MARK)] },
    { role: 'assistant' },
    { role: 'tool', content: [text('Seen.', MARK)] },
  ]);
  const [, called, seen] = MESSAGES.messages;
  const result = { ...(seen!.content[0] as object), content: [text('Seen.'), text('Heard.')] };
  for (const model of ['openrouter/m', 'alibaba/m', 'deepseek/m']) {
    const messages = [{ role: 'user', content: 'Look.' }, called, { role: 'user', content: [result] }];
    const listed = await sent('anthropic-messages', 'openai-chat', { ...MESSAGES, model, system: [], messages });
    const [content, dropped] = [field((field(listed.json, 'messages') as object[])[2], 'content'), listed.dropped];
    const isTaken = model !== 'deepseek/m';
    assert.deepEqual(content, isTaken ? [text('Seen.'), text('Heard.', MARK)] : 'Seen.\nHeard.', model);
    assert.equal(dropped, isTaken ? null : 'cache_control', model);
  }
});

test('a prompt has four marks at most, of which the last are kept, also within results of tools', async () => {
  const marked = ['a', 'b', 'c', 'd', 'e'].map((words) => text(words, MARK));
  const chat = await sent('anthropic-messages', 'openai-chat', { model: 'openrouter/m', ...MESSAGES, system: marked });
  assert.deepEqual([JSON.stringify(chat.json).split('ephemeral').length - 1, chat.dropped], [4, 'cache_control']);

  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
  const turns = marked.flatMap((part) => [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: [part] },
  ]);
  const messages = [{ role: 'user', content: 'Go.' }, ...turns];
  const back = await sent('openai-chat', 'anthropic-messages', { model: 'anthropic/claude-opus-5-5', messages });
  assert.deepEqual([JSON.stringify(back.json).split('ephemeral').length - 1, back.dropped], [4, 'cache_control']);
});

test('a mark beside the content of a message, or within a function, counts as one', async () => {
  const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const { json, dropped } = await sent('openai-chat', 'anthropic-messages', {
    model: 'anthropic/claude-opus-5-5',
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} }, ...MARK } }],
    messages: [
      { role: 'system', content: 'Rules.', ...hour },
      { role: 'user', content: [text('a'), text('b')], ...MARK },
      { role: 'assistant', content: 'c', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'd', ...MARK },
    ],
  });
  assert.deepEqual(field(json, 'system'), [text('Rules.', hour)]);
  assert.partialDeepStrictEqual(field(json, 'tools'), [{ name: 'look', ...MARK }]);
  assert.partialDeepStrictEqual(field(json, 'messages'), [
    { content: [text('a'), text('b', MARK)] },
    { content: [text('c'), { type: 'tool_use' }] },
    { content: [{ type: 'tool_result', ...MARK }] },
  ]);
  assert.equal(dropped, null);
});

test('OpenAI’s marks reach Anthropic, of chat and of responses', async () => {
  const model = 'anthropic/claude-opus-5-5';
  const chat = await sent('openai-chat', 'anthropic-messages', {
    model,
    messages: [
      { role: 'system', content: [text('Rules.', BREAKPOINT)] },
      { role: 'user', content: 'Go.' },
    ],
  });
  assert.deepEqual([field(chat.json, 'system'), chat.dropped], [[text('Rules.', MARK)], null]);
  const responses = await sent('openai-responses', 'anthropic-messages', {
    model,
    store: false,
    prompt_cache_key: 'mine',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Go.', ...BREAKPOINT }] }],
  });
  assert.deepEqual(field((field(responses.json, 'messages') as object[])[0], 'content'), [text('Go.', MARK)]);
  assert.equal(responses.dropped, 'prompt_cache_key');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallSummary } from '../../core/route.ts';
import { readEnvelope } from './envelope.ts';
import { summarize } from './summary.ts';

function summaryOf(body: Record<string, unknown>): CallSummary {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', ...body }));
  return summarize(readEnvelope(bytes, { maxJsonDepth: 512, maxEmbeddingInputs: 1 }));
}

function message(role: string, text: string): Record<string, unknown> {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', role, content: [{ type, text }] };
}

test('a text alone is what the user says', () => {
  const seen = summaryOf({ instructions: 'Be brief.', input: 'Hello' });
  assert.deepEqual(
    [seen.system, seen.lastUser, seen.opening, seen.turns, seen.midTurn],
    ['Be brief.', 'Hello', 'Be brief.\nHello', 1, false],
  );
});

test('all that is said beside the conversation', () => {
  const seen = summaryOf({
    input: 'Hello',
    tools: [{ type: 'function', name: 'a' }, { type: 'web_search' }, { type: 'namespace', tools: [] }],
    text: { format: { type: 'json_schema', name: 'x', schema: {} } },
    user: 'u',
    prompt_cache_key: 'k',
    metadata: { a: 'b' },
    models: ['a'],
  });
  assert.deepEqual(
    [seen.tools, seen.structuredOutput, seen.user, seen.cacheKey, seen.metadata, seen.models],
    [3, true, 'u', 'k', { a: 'b' }, ['a']],
  );
  assert.equal(summaryOf({ input: 'Hello', text: { verbosity: 'low' } }).structuredOutput, false);
});

test('an answer that is referred to is told', () => {
  assert.equal(summaryOf({ input: 'Hello', previous_response_id: 'resp_1' }).previousResponseId, 'resp_1');
});

test('items that follow one another in an answer are one turn of the assistant’s', () => {
  const opening = [
    message('developer', 'You are a coding agent.'),
    message('user', 'Folder: /work'),
    { role: 'user', content: 'Write a file.' },
  ];
  const first = summaryOf({ input: opening });
  assert.deepEqual(
    [first.turns, first.lastUser, first.opening],
    [2, 'Write a file.', 'You are a coding agent.\nFolder: /work\nWrite a file.'],
  );
  const called = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    message('assistant', 'I write it.'),
    { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '***' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' },
  ];
  const middle = summaryOf({ input: [...opening, ...called] });
  assert.deepEqual([middle.turns, middle.midTurn, middle.lastUser], [3, true, 'Write a file.']);
  const again = [...called, { type: 'function_call', call_id: 'call_2', name: 'ls', arguments: '{}' }];
  const next = summaryOf({
    input: [...opening, ...again, { type: 'function_call_output', call_id: 'call_2', output: '' }],
  });
  assert.deepEqual([next.turns, next.midTurn, next.opening], [4, true, first.opening]);
  const done = summaryOf({ input: [...opening, ...again, message('user', 'Thanks. One more.')] });
  assert.deepEqual([done.turns, done.midTurn, done.lastUser], [5, false, 'Thanks. One more.']);
});

test('parts tell what else is to be read, also those that a tool gave back', () => {
  const of = (...input: unknown[]) => {
    const { images, audio, files } = summaryOf({ input });
    return [images, audio, files];
  };
  const output = [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }];
  assert.deepEqual(of({ role: 'user', content: output }), [true, false, false]);
  assert.deepEqual(of({ role: 'user', content: [{ type: 'input_file', file_data: '' }] }), [false, false, true]);
  assert.deepEqual(of({ role: 'user', content: [{ type: 'input_audio' }] }), [false, true, false]);
  assert.deepEqual(of({ type: 'function_call_output', call_id: 'c', output }), [true, false, false]);
  const screenshot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA' };
  assert.deepEqual(of({ type: 'computer_call_output', call_id: 'c', output: screenshot }), [true, false, false]);
});

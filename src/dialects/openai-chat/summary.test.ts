import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallSummary } from '../../core/route.ts';
import { readEnvelope } from './envelope.ts';
import { summarize } from './summary.ts';

function summaryOf(body: Record<string, unknown>): CallSummary {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', ...body }));
  return summarize(readEnvelope(bytes, { maxJsonDepth: 512, maxEmbeddingInputs: 1 }));
}

const ASKED = { role: 'user', content: 'What is the weather in Paris?' };
const CALLED = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
};
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'Rain' };

test('a plain question', () => {
  assert.deepEqual(summaryOf({ messages: [ASKED] }), {
    tools: 0,
    images: false,
    audio: false,
    files: false,
    structuredOutput: false,
    turns: 1,
    midTurn: false,
    system: '',
    lastUser: ASKED.content,
    opening: ASKED.content,
    user: null,
    metadata: {},
    cacheKey: null,
    previousResponseId: null,
    models: undefined,
    provider: undefined,
  });
});

test('all that is said beside the conversation', () => {
  const seen = summaryOf({
    messages: [ASKED],
    tools: [{ type: 'function', function: { name: 'a' } }, { type: 'custom', custom: { name: 'b' } }, 'odd'],
    functions: [{ name: 'c' }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } },
    user: 'old',
    safety_identifier: 'new',
    prompt_cache_key: 'session-7',
    metadata: { tier: 'gold', count: 3 },
    models: ['a'],
    provider: { order: ['x'] },
  });
  assert.deepEqual(
    [seen.tools, seen.structuredOutput, seen.user, seen.cacheKey, seen.metadata, seen.models, seen.provider],
    [3, true, 'new', 'session-7', { tier: 'gold' }, ['a'], { order: ['x'] }],
  );
  assert.equal(summaryOf({ messages: [ASKED], response_format: { type: 'json_object' } }).structuredOutput, true);
  assert.equal(summaryOf({ messages: [ASKED], response_format: { type: 'text' } }).structuredOutput, false);
  assert.equal(summaryOf({ messages: [ASKED], user: 'old' }).user, 'old');
});

test('parts tell what else is to be read', () => {
  const of = (...content: unknown[]) => {
    const { images, audio, files, lastUser } = summaryOf({ messages: [{ role: 'user', content }] });
    return [images, audio, files, lastUser];
  };
  const text = { type: 'text', text: 'Look' };
  assert.deepEqual(of(text, { type: 'image_url', image_url: { url: 'https://a/b.png' } }), [
    true,
    false,
    false,
    'Look',
  ]);
  assert.deepEqual(of({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }), [false, true, false, '']);
  assert.deepEqual(of({ type: 'file', file: { file_data: '' } }, text, text), [false, false, true, 'Look\nLook']);
  assert.deepEqual(of({ type: 'tomorrow' }, null, 7), [false, false, false, '']);
  assert.equal(summaryOf({ messages: [ASKED], modalities: ['text', 'audio'], audio: {} }).audio, true);
});

test('the opening stays as it was while the conversation goes on', () => {
  const opening = [{ role: 'developer', content: 'Be brief.' }, { role: 'system', content: 'Be kind.' }, ASKED];
  const first = summaryOf({ messages: opening });
  assert.equal(first.opening, `Be brief.\nBe kind.\n${ASKED.content}`);
  assert.deepEqual([first.turns, first.midTurn], [1, false]);

  const middle = summaryOf({ messages: [...opening, CALLED, RESULT] });
  assert.deepEqual([middle.turns, middle.midTurn, middle.lastUser], [2, true, ASKED.content]);

  const reminded = summaryOf({ messages: [...opening, CALLED, RESULT, { role: 'system', content: 'Be quick.' }] });
  assert.deepEqual([reminded.midTurn, reminded.system], [true, 'Be brief.\nBe kind.\nBe quick.']);

  const answered = [CALLED, RESULT, { role: 'assistant', content: 'Rain.' }];
  const next = summaryOf({ messages: [...opening, ...answered, { role: 'user', content: 'And tomorrow?' }] });
  assert.deepEqual([next.turns, next.midTurn, next.lastUser], [4, false, 'And tomorrow?']);
  for (const later of [middle, reminded, next]) assert.equal(later.opening, first.opening);
});

test('functions in the old words have results, too', () => {
  const messages = [ASKED, { role: 'assistant', function_call: {} }, { role: 'function', name: 'a', content: '1' }];
  assert.equal(summaryOf({ messages }).midTurn, true);
});

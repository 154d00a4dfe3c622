import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallSummary } from '../../core/route.ts';
import { readEnvelope } from './envelope.ts';
import { summarize } from './summary.ts';

function summaryOf(body: Record<string, unknown>): CallSummary {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, ...body }));
  return summarize(readEnvelope(bytes, { maxJsonDepth: 512, maxEmbeddingInputs: 1 }));
}

const ASKED = {
  role: 'user',
  content: [
    { type: 'text', text: 'Remember this.' },
    { type: 'text', text: 'Write a file.' },
  ],
};

test('all that is said beside the conversation', () => {
  const seen = summaryOf({
    messages: [ASKED],
    tools: [
      { name: 'Bash', input_schema: {} },
      { type: 'web_search_20260209', name: 'web_search' },
    ],
    output_config: { format: { type: 'json_schema', schema: {} } },
    metadata: { user_id: 'user-1', team: 'a' },
    provider: { only: ['x'] },
  });
  assert.deepEqual(
    [seen.tools, seen.structuredOutput, seen.user, seen.metadata, seen.cacheKey, seen.provider],
    [2, true, 'user-1', { team: 'a' }, null, { only: ['x'] }],
  );
  assert.equal(
    summaryOf({ messages: [ASKED], output_format: { type: 'json_schema', schema: {} } }).structuredOutput,
    true,
  );
  assert.equal(summaryOf({ messages: [ASKED], output_config: { effort: 'low' } }).structuredOutput, false);
});

test('the opening stays as it was while the conversation goes on, whatever the client counts before it', () => {
  const system = (count: string) => [
    { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1.330; cch=${count};` },
    { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
  ];
  const opening = [ASKED, { role: 'system', content: 'Folder: /work' }];
  const first = summaryOf({ system: system('a'), messages: opening });
  assert.equal(first.opening, 'You are an agent.\nFolder: /work\nRemember this.\nWrite a file.');
  assert.deepEqual([first.turns, first.midTurn, first.lastUser], [1, false, 'Remember this.\nWrite a file.']);

  const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }] };
  const result = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' },
      { type: 'text', text: '<system-reminder>Be careful.</system-reminder>' },
    ],
  };
  const middle = summaryOf({ system: system('b'), messages: [...opening, called, result] });
  assert.deepEqual(
    [middle.turns, middle.midTurn, middle.lastUser, middle.opening],
    [2, true, first.lastUser, first.opening],
  );
  const reminded = [...opening, called, result, { role: 'system', content: 'Be quick.' }];
  assert.equal(summaryOf({ messages: reminded }).midTurn, true);
  const answered = [
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
  ];
  const next = summaryOf({ system: 'You are an agent.', messages: [...opening, called, result, ...answered] });
  assert.deepEqual([next.turns, next.midTurn, next.lastUser, next.opening], [4, false, 'Thanks.', first.opening]);
});

test('blocks tell what else is to be read, also those that a tool gave back', () => {
  const of = (...content: unknown[]) => {
    const { images, audio, files } = summaryOf({ messages: [{ role: 'user', content }] });
    return [images, audio, files];
  };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };
  assert.deepEqual(of(image), [true, false, false]);
  assert.deepEqual(of({ type: 'document', source: { type: 'text', data: 'x' } }), [false, false, true]);
  assert.deepEqual(of({ type: 'tool_result', tool_use_id: 't', content: [image] }), [true, false, false]);
  assert.deepEqual(of({ type: 'tomorrow' }), [false, false, false]);
});

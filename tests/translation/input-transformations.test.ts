import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';

const chat = await startFakeProvider();
const messages = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:
  chat: { base_url: "${chat.url}", only: [m] }
  imitator: { base_url: "${messages.url}", dialects: [anthropic-messages], message_threads: false, only: [m] }`,
});
after(() => Promise.all([headgate[Symbol.asyncDispose](), chat.close(), messages.close()]));
chat.plan(answer({ text: 'Fine.' }));

async function call(path: string, body: object) {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  return {
    text,
    events,
    dropped: response.headers.get('service-dropped'),
    json: events.length > 0 ? null : JSON.parse(text),
  };
}

const ASKED = { model: 'chat/m', max_tokens: 9, top_k: 3, messages: [{ role: 'user', content: 'Hi' }] };
const TOP_K = { type: 'dropped', path: 'top_k', reason: 'not_supported' };

test('a caller of messages is told in its own place what was left out, whole and streamed', async () => {
  const whole = await call('/v1/messages', ASKED);
  assert.equal(whole.dropped, 'top_k');
  assert.deepEqual(field(whole.json, 'input_transformations'), [TOP_K]);
  const { events } = await call('/v1/messages', { ...ASKED, stream: true });
  const [start] = events.filter(({ type }) => type === 'message_start');
  assert.deepEqual(start.message.input_transformations, [TOP_K]);
  const [end] = events.filter(({ type }) => type === 'message_delta');
  assert.deepEqual(end.input_transformations, [TOP_K]);
});

test('a caller of responses is told in its own place, whole and streamed', async () => {
  const asked = { model: 'chat/m', input: 'Hi', max_tool_calls: 3 };
  const whole = await call('/v1/responses', asked);
  const told = [{ type: 'dropped', id: 'max_tool_calls', action: 'removed', reason: 'not_supported' }];
  assert.equal(whole.dropped, 'max_tool_calls');
  assert.deepEqual(field(whole.json, 'input_transformations'), told);
  const { events } = await call('/v1/responses', { ...asked, stream: true });
  const [end] = events.filter(({ type }) => type === 'response.completed');
  assert.deepEqual(end.response.input_transformations, told);
});

test('reasoning of another provider is told in the vendor’s own words', async () => {
  const seal = (await import('../../src/core/seal.ts')).packSeal({
    ...{ dialect: 'openai-responses', provider: 'another', form: 'encrypted', id: 'rs_1', value: 'x' },
  } as never);
  const thought = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature: seal },
      { type: 'text', text: 'So.' },
    ],
  };
  const { json, dropped } = await call('/v1/messages', {
    ...ASKED,
    top_k: undefined,
    messages: [...ASKED.messages, thought, ...ASKED.messages],
  });
  assert.equal(dropped, 'seal');
  assert.deepEqual(field(json, 'input_transformations'), [
    { type: 'thinking_dropped', path: 'messages', reason: 'model_binding_mismatch' },
  ]);
});

test('the vendor’s own entries stay, and ours stand beside them, where the bytes pass', async () => {
  const own = { type: 'thinking_dropped', path: 'messages.0.content.0', reason: 'prefix_binding_mismatch' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage,
    input_transformations: [own],
  };
  const thread = { type: 'dropped', path: 'thread', reason: 'not_supported' };
  messages.plan(({ json }) =>
    field(json, 'stream') === true
      ? streamReply(
          [
            { type: 'message_start', message: head },
            { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Fine.' } },
            { type: 'content_block_stop', index: 0 },
            { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
            { type: 'message_stop' },
          ].map(frame),
        )
      : jsonReply(200, { ...head, content: [{ type: 'text', text: 'Fine.' }], stop_reason: 'end_turn' }),
  );
  const asked = { ...ASKED, model: 'imitator/m', thread: { type: 'create' } };
  assert.deepEqual(field((await call('/v1/messages', asked)).json, 'input_transformations'), [own, thread]);
  const { events } = await call('/v1/messages', { ...asked, stream: true });
  assert.deepEqual(events[0].message.input_transformations, [own, thread]);
  const plain = await call('/v1/messages', { ...asked, thread: undefined });
  assert.deepEqual(field(plain.json, 'input_transformations'), [own], 'nothing of ours was lost');
  assert.equal(plain.dropped, 'input_transformations', 'what the vendor has left out is told beside it');
  await call('/v1/messages', { ...asked, thread: undefined, stream: true });
  const { data } = await headgate.usage({ limit: '1' });
  assert.deepEqual(data[0]?.dropped, ['input_transformations'], 'and counted, streamed too');
});

test('callers of chat have no such place', async () => {
  const { text, dropped } = await call('/v1/chat/completions', {
    ...{ model: 'imitator/m', messages: ASKED.messages, seed: 1, max_tokens: 9 },
  });
  assert.equal(dropped?.includes('seed'), true, String(dropped));
  assert.equal(text.includes('input_transformations'), false);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Ends in Gemini's words, which its chat completions say in their own letters. */
const ENDS = ['LANGUAGE', 'FinishReason.LANGUAGE', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'SAFETY'];

const vendor = await startFakeProvider();
after(() => vendor.close());
const headgate = await startHeadgate({
  config: `providers:
  own: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }
  responses: { base_url: "${vendor.url}", dialects: [openai-responses], only: [m] }
  messages: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [m] }
`,
});
after(() => headgate[Symbol.asyncDispose]());

const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const base = { id: 'c', created: 1, model: 'm' };

function send(path: string, model: string, body: object) {
  return ask(`${headgate.url}${path}`, { key: headgate.key, body: { model, ...body } });
}

async function post(path: string, body: object): Promise<{ text: string; json: unknown }> {
  const { status, text, json } = await send(path, 'own/m', body);
  assert.equal(status, 200, text);
  return { text, json };
}

const CHAT = { messages: [{ role: 'user', content: 'Hi' }] };
const MESSAGES = { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };

test('an answer that its vendor stopped is no whole one', async () => {
  for (const finish_reason of ENDS) {
    const choice = { index: 0, finish_reason, message: { role: 'assistant', content: 'Hel' } };
    vendor.plan(() => jsonReply(200, { ...base, object: 'chat.completion', choices: [choice], usage: USAGE }));
    const messages = await post('/v1/messages', MESSAGES);
    assert.partialDeepStrictEqual(messages.json, { stop_reason: 'refusal' }, finish_reason);
    const responses = await post('/v1/responses', { input: 'Hi' });
    assert.partialDeepStrictEqual(
      responses.json,
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      finish_reason,
    );
  }
});

test('nor is a stream', async () => {
  for (const finish_reason of ENDS) {
    const chunk = { ...base, object: 'chat.completion.chunk' };
    vendor.plan(() =>
      streamReply([
        frame({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null }] }),
        frame({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: USAGE }),
        frame('[DONE]'),
      ]),
    );
    const { text } = await post('/v1/messages', { ...MESSAGES, stream: true });
    assert.match(text, /"stop_reason":"refusal"/, finish_reason);
  }
});

/** Ends by which vendors say that they broke the answer off. */
const BROKEN = ['error', 'abort', 'timeout', 'USER_CANCEL', 'MISSING_THOUGHT_SIGNATURE', 'malformed_tool_use'];

test('an answer that its vendor broke off fails, in every format', async () => {
  for (const word of BROKEN) {
    const choice = { index: 0, finish_reason: word, message: { role: 'assistant', content: 'Hel' } };
    vendor.plan(() => jsonReply(200, { ...base, object: 'chat.completion', choices: [choice], usage: USAGE }));
    assert.equal((await send('/v1/messages', 'own/m', MESSAGES)).status, 502, word);
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hel' }],
    };
    vendor.plan(() => jsonReply(200, { ...message, stop_reason: word, usage: { input_tokens: 5, output_tokens: 2 } }));
    assert.equal((await send('/v1/responses', 'messages/m', { input: 'Hi' })).status, 502, word);
  }
});

const CUT = '{"q": "x';
const named = (event: { type: string }) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const response = (more: object) => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [],
  ...more,
});
const item = { type: 'function_call', id: 'f', call_id: 'a', name: 'find', arguments: CUT, status: 'completed' };

/** Streams of vendors that call a cut call a whole one, by the provider. */
const CUT_CALLS: Readonly<Record<string, readonly Buffer[]>> = {
  own: [
    frame({
      ...base,
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: CUT } }] } },
      ],
    }),
    frame({ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: USAGE }),
    frame('[DONE]'),
  ],
  responses: [
    named({ type: 'response.created', ...{ response: response({ status: 'in_progress' }) } }),
    named({ type: 'response.completed', ...{ response: response({ output: [item] }) } }),
  ],
  messages: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'find', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: CUT } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ].map(named),
};

test('a call whose input is cut ends no answer that is whole', async () => {
  const ends = { '/v1/chat/completions': 'length', '/v1/responses': 'incomplete', '/v1/messages': 'max_tokens' };
  const own = { own: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' };
  for (const [provider, frames] of Object.entries(CUT_CALLS))
    for (const [path, end] of Object.entries(ends)) {
      if (own[provider as keyof typeof own] === path) continue;
      for (const stream of [false, true]) {
        vendor.plan(() => streamReply(frames));
        const body = path === '/v1/messages' ? MESSAGES : path === '/v1/responses' ? { input: 'Hi' } : CHAT;
        const { text } = await send(path, `${provider}/m`, { ...body, stream });
        assert.match(
          text,
          new RegExp(`"(?:finish_reason|stop_reason|status)":"${end}"`),
          `${provider} ${path} ${text}`,
        );
      }
    }
});

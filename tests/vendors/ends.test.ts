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
  config: `providers: { own: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] } }\n`,
});
after(() => headgate[Symbol.asyncDispose]());

const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const base = { id: 'c', created: 1, model: 'm' };

async function post(path: string, body: object): Promise<{ text: string; json: unknown }> {
  const { status, text, json } = await ask(`${headgate.url}${path}`, {
    key: headgate.key,
    body: { model: 'own/m', ...body },
  });
  assert.equal(status, 200, text);
  return { text, json };
}

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

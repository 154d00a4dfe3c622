import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startTranslationLab } from '../support/dialects.ts';

/** Choices with several messages, as Mistral tells them where it ran tools itself. */
const lab = await startTranslationLab();
after(() => lab[Symbol.asyncDispose]());

const call = (id: string, name: string) => ({
  id,
  type: 'function',
  function: { name, arguments: '{"query":"news"}' },
});
const MESSAGES = [
  { role: 'assistant', content: 'I look.', tool_calls: [call('ran00001', 'web_search')] },
  { role: 'tool', tool_call_id: 'ran00001', content: 'Found.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Here it is.' }], tool_calls: [call('call00001', 'open')] },
];

async function answered(path: string, usage?: object) {
  const choices = [{ index: 0, messages: MESSAGES, finish_reason: 'tool_calls' }];
  lab.vendor.plan(() => jsonReply(200, { id: 'c', model: 'm', created: 1, choices, usage }), { times: 1 });
  const prompt =
    path === '/v1/responses' ? { input: 'Hi', store: false } : { messages: [{ role: 'user', content: 'Hi' }] };
  const body = { model: 'openai-chat/m', max_tokens: 64, ...prompt };
  const { max_tokens: _, ...withoutLimit } = body;
  return ask(`${lab.headgate.url}${path}`, {
    key: lab.headgate.key,
    body: path === '/v1/messages' ? body : withoutLimit,
  });
}

test('their words reach callers of other formats, and only calls that the vendor has not run', async () => {
  const message = await answered('/v1/messages');
  assert.equal(message.status, 200, message.text);
  const content = field(message.json, 'content') as { type: string; text?: string; id?: string }[];
  const text = content.map((block) => block.text ?? '').join('');
  assert.match(text, /I look\.\s*Here it is\./);
  assert.deepEqual(
    content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    ['call00001'],
  );
  const response = await answered('/v1/responses');
  const calls = (field(response.json, 'output') as { type: string; call_id?: string }[]).filter(
    ({ type }) => type === 'function_call',
  );
  assert.deepEqual(
    calls.map(({ call_id: id }) => id),
    ['call00001'],
  );
  assert.match(response.text, /I look\./);
});

test('they pass as they are, and are counted where no usage is told', async () => {
  const { status, json } = await answered('/v1/chat/completions');
  assert.deepEqual([status, field(json, 'choices', '0', 'messages')], [200, MESSAGES]);
  const { data } = await lab.headgate.usage({ limit: '1' });
  assert.ok(Number(data[0]?.output_tokens) >= 6, JSON.stringify(data[0]));
});

test('a search among them is counted where the usage counts none', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    await answered(path, usage);
    const [record] = (await lab.headgate.usage({ limit: '1' })).data;
    const { json } = await ask(`${lab.headgate.url}/v1/usage/${record?.id}`, { key: lab.headgate.key });
    assert.deepEqual(field(json, 'tool_calls'), { web_search: 1 }, path);
  }
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { eventsIn } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
vendor.plan(answer({ text: 'Hello there.' }), { path: '/v1/chat/completions' });
const headgate = await startHeadgate({
  config: `providers: { lab: { base_url: "${vendor.url}", only: [m, text-embedding-3-small] } }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const post = (path: string, body: object) =>
  fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const BODY = {
  model: 'lab/m',
  instructions: 'Be brief.',
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  tools: [{ type: 'function', name: 'look', description: '', parameters: { type: 'object', properties: {} } }],
};

test('the body of a response at the path of chat is understood, and answered as a chat completion', async () => {
  const response = await post('/v1/chat/completions', BODY);
  const completion = await response.json();
  assert.equal(field(completion, 'object'), 'chat.completion');
  assert.equal(field(completion, 'choices', '0', 'message', 'content'), 'Hello there.');
  const sent = vendor.requests.at(-1)?.json;
  assert.deepEqual(field(sent, 'messages'), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ]);
  assert.equal(field(sent, 'tools', '0', 'function', 'name'), 'look');
});

test('streamed too, with the usage', async () => {
  const events = eventsIn(await (await post('/v1/chat/completions', { ...BODY, stream: true })).text());
  assert.equal(events.pop(), '[DONE]');
  const chunks = events.map((event) => JSON.parse(event));
  assert.equal(chunks.map((chunk) => field(chunk, 'choices', '0', 'delta', 'content') ?? '').join(''), 'Hello there.');
  assert.ok(chunks.some((chunk) => (field(chunk, 'usage') ?? null) !== null));
});

test('inputs of embeddings are no response', async () => {
  const response = await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hi' });
  assert.equal(field(await response.json(), 'object'), 'list');
});

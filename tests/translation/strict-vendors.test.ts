import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';

const strict = await startFakeProvider();
const lenient = await startFakeProvider({ lenient: true });
const headgate = await startHeadgate({
  config: `providers:
  local: { base_url: "${strict.url}", models: [m] }
  openai: { base_url: "${lenient.url}", api_key: sk-lenient, dialects: [openai-chat], models: [g] }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await strict.close();
  await lenient.close();
});

const post = (path: string, body: object) =>
  fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const REMINDER = '<system-reminder>\nThe folder is empty.\n</system-reminder>';

test('system text behind a turn of messages reaches a vendor that takes it at the start alone', async () => {
  const response = await post('/v1/messages', {
    model: 'local/m',
    max_tokens: 50,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'The folder is empty.' },
    ],
  });
  assert.equal(response.status, 200);
  assert.deepEqual(field(strict.requests.at(-1)?.json, 'messages'), [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: `Hi\n\n${REMINDER}` },
  ]);
});

test('instructions and messages of a developer become one system text', async () => {
  const response = await post('/v1/responses', {
    model: 'local/m',
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Write nothing.' }] },
      { role: 'user', content: 'Hi' },
    ],
  });
  assert.equal(response.status, 200);
  assert.deepEqual(field(strict.requests.at(-1)?.json, 'messages'), [
    { role: 'system', content: 'Be brief.\n\nWrite nothing.' },
    { role: 'user', content: 'Hi' },
  ]);
});

const CHAT = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
  { role: 'developer', content: 'The folder is empty.' },
];

test('a call that passes is changed where its vendor would refuse it', async () => {
  for (const stream of [false, true]) {
    const response = await post('/v1/chat/completions', { model: 'local/m', messages: CHAT, stream });
    await response.text();
    assert.equal(response.status, 200);
    assert.deepEqual(field(strict.requests.at(-1)?.json, 'messages'), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: `Hi\n\n${REMINDER}` },
    ]);
  }
});

test('and is not where its vendor takes it', async () => {
  const response = await post('/v1/chat/completions', { model: 'openai/g', messages: CHAT });
  assert.equal(response.status, 200);
  assert.deepEqual(field(lenient.requests.at(-1)?.json, 'messages'), CHAT);
});

test('names and schemas of tools reach a vendor as it takes them, and the caller sees its own', async () => {
  const name = `mcp.files__${'read_'.repeat(14)}`;
  const union = { properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  for (const stream of [false, true]) {
    strict.plan(
      (request) => {
        const sent = field(request.json, 'tools', '0', 'function', 'name');
        return answer({ toolCalls: [{ name: String(sent), arguments: '{}' }] })(request);
      },
      { times: 1 },
    );
    const response = await post('/v1/messages', {
      model: 'local/m',
      max_tokens: 50,
      stream,
      tools: [
        { name, input_schema: { type: 'object' } },
        { name: 'other', input_schema: union },
      ],
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.ok(text.includes(`"name":"${name}"`));
    if (!stream) assert.equal(response.headers.get('service-dropped'), 'tool_schema');
    const [first, second] = field(strict.requests.at(-1)?.json, 'tools') as unknown[];
    assert.match(String(field(first, 'function', 'name')), /^[a-zA-Z0-9_-]{1,64}$/);
    assert.deepEqual(field(first, 'function', 'parameters'), { type: 'object', properties: {} });
    assert.deepEqual(field(second, 'function', 'parameters'), { type: 'object', properties: union.properties });
    assert.match(String(field(second, 'function', 'description')), /anyOf.*required/);
  }
});

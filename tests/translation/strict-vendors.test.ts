import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

const strict = await startFakeProvider();
const lenient = await startFakeProvider({ lenient: true });
const headgate = await startHeadgate({
  config: `providers:
  local: { base_url: "${strict.url}", models: [m] }
  responses: { base_url: "${strict.url}", dialects: [openai-responses], models: [m] }
  likeopenai: { preset: openai, base_url: "${strict.url}", api_key: sk-one, dialects: [openai-chat], models: [c] }
  likeopenairesponses: { preset: openai, base_url: "${strict.url}", api_key: sk-two, dialects: [openai-responses], models: [r] }
  unknown: { base_url: "${lenient.url}", dialects: [openai-chat, openai-responses], models: [u] }
  messages: { base_url: "${strict.url}", dialects: [anthropic-messages], models: [m] }
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

const LONG = `mcp.files__${'read_'.repeat(14)}`;
const UNION = {
  type: 'object',
  properties: { a: { type: 'string' } },
  anyOf: [{ required: ['a'] }, { required: ['b'] }],
};

test('a call that passes is sent with tools as its vendor takes them, and the caller sees its own names', async () => {
  const other = `${LONG}x`;
  for (const stream of [false, true]) {
    strict.plan(
      (request) => {
        const [one, two] = field(request.json, 'tools') as unknown[];
        const toolCalls = [one, two].map((tool) => ({
          name: String(field(tool, 'function', 'name')),
          arguments: '{}',
        }));
        return answer({ toolCalls })(request);
      },
      { times: 1 },
    );
    const call = { id: 'call_1', type: 'function', function: { name: LONG, arguments: `{"name":"${LONG}"}` } };
    const response = await post('/v1/chat/completions', {
      model: 'likeopenai/c',
      stream,
      tools: [
        { type: 'function', function: { name: LONG, parameters: { type: 'object' } } },
        { type: 'function', function: { name: other, strict: true, parameters: UNION } },
        { type: 'function', function: { name: 'plain', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: { type: 'function', function: { name: LONG } },
      messages: [
        { role: 'user', content: LONG },
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: LONG },
      ],
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.ok(text.includes(`"name":"${LONG}"`) && text.includes(`"name":"${other}"`), text);
    if (!stream) assert.equal(response.headers.get('service-dropped'), 'tool_schema, strict');
    const sent = strict.requests.at(-1)?.json;
    const [first, second, third] = field(sent, 'tools') as unknown[];
    const name = String(field(first, 'function', 'name'));
    assert.notEqual(name, field(second, 'function', 'name'));
    assert.deepEqual(field(first, 'function', 'parameters'), { type: 'object', properties: {} });
    assert.deepEqual(field(second, 'function', 'parameters'), { type: 'object', properties: UNION.properties });
    assert.equal(field(third, 'function', 'name'), 'plain');
    assert.equal(field(sent, 'tool_choice', 'function', 'name'), name);
    assert.equal(field(sent, 'messages', '1', 'tool_calls', '0', 'function', 'name'), name);
    assert.equal(field(sent, 'messages', '1', 'tool_calls', '0', 'function', 'arguments'), `{"name":"${LONG}"}`);
    assert.equal(field(sent, 'messages', '0', 'content'), LONG);
  }
});

test('so is one of responses, and one of messages', async () => {
  const usage = { input: 1, output: 1 };
  const input = { name: LONG };
  strict.plan(scripted('openai-responses', [{ text: 'Fine.', usage }]), { times: 1 });
  const responses = await post('/v1/responses', {
    model: 'likeopenairesponses/r',
    tools: [{ type: 'function', name: LONG, parameters: UNION }],
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'call_1', name: LONG, arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id: 'call_1', output: 'Done' },
    ],
  });
  assert.equal(responses.status, 200, await responses.text());
  const sent = strict.requests.at(-1)?.json;
  assert.match(String(field(sent, 'tools', '0', 'name')), /^[\w-]{1,64}$/);
  assert.equal(field(sent, 'input', '1', 'name'), field(sent, 'tools', '0', 'name'));

  const dotted = `${'a'.repeat(80)}.b`;
  strict.plan(
    (request) => {
      const name = String(field(request.json, 'tools', '0', 'name'));
      return scripted('anthropic-messages', [{ calls: [{ id: 'toolu_2', name, input }], usage }])(request);
    },
    { times: 1 },
  );
  const messages = await post('/v1/messages', {
    model: 'messages/m',
    max_tokens: 50,
    tools: [
      { name: dotted, input_schema: UNION, cache_control: { type: 'ephemeral' } },
      { name: 'kept', input_schema: { type: 'object', properties: {} } },
    ],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: dotted, input: { name: dotted } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done' }] },
    ],
  });
  const text = await messages.text();
  assert.equal(messages.status, 200, text);
  assert.equal(field(JSON.parse(text), 'content', '0', 'name'), dotted);
  const body = strict.requests.at(-1)?.json;
  assert.equal(field(body, 'messages', '1', 'content', '0', 'name'), field(body, 'tools', '0', 'name'));
  assert.deepEqual(field(body, 'messages', '1', 'content', '0', 'input'), { name: dotted });
  assert.deepEqual(field(body, 'tools', '0', 'cache_control'), { type: 'ephemeral' });
  assert.equal(field(body, 'tools', '0', 'input_schema', 'anyOf'), undefined);
});

test('a vendor of which nothing is known gets names that all take, and schemas as the caller says', async () => {
  const parameters = UNION;
  const tools = [
    { type: 'function', function: { name: 'plain', parameters } },
    { type: 'function', function: { name: `${LONG}.b`, parameters: { type: 'object' } } },
  ];
  const body = { model: 'unknown/u', tools, messages: [{ role: 'user', content: 'Hi' }] };
  const response = await post('/v1/chat/completions', body);
  assert.equal(response.status, 200, await response.text());
  assert.equal(response.headers.get('service-dropped'), null);
  const [first, second] = field(lenient.requests.at(-1)?.json, 'tools') as unknown[];
  assert.deepEqual(first, tools[0]);
  assert.match(String(field(second, 'function', 'name')), /^[\w-]{1,64}$/);
  assert.deepEqual(field(second, 'function', 'parameters'), { type: 'object', properties: {} });
});

test('tools that the vendor takes pass as they are', async () => {
  const tool = {
    type: 'function',
    function: { name: 'plain', parameters: { type: 'object', properties: { a: UNION } } },
  };
  const response = await post('/v1/chat/completions', {
    model: 'likeopenai/c',
    tools: [tool],
    messages: [{ role: 'user', content: 'Hi' }],
  });
  assert.equal(response.status, 200, await response.text());
  assert.ok(strict.requests.at(-1)?.body.includes(JSON.stringify(tool)));
});

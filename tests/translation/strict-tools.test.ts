import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

const vendor = await startFakeProvider();
const lenient = await startFakeProvider({ lenient: true });
const at = (url: string, rest: string) => `base_url: "${url}", api_key: sk-test, ${rest}`;
const headgate = await startHeadgate({
  config: `providers:
  openai: { ${at(vendor.url, 'dialects: [openai-responses], models: [r]')} }
  likeopenai: { preset: openai, ${at(vendor.url, 'dialects: [openai-chat], models: [c]')} }
  anthropic: { ${at(vendor.url, 'models: [claude-a]')} }
  gemini: { ${at(lenient.url, 'models: [g]')} }
  mistral: { ${at(lenient.url, 'models: [mi]')} }
  fireworks: { ${at(lenient.url, 'models: [f]')} }
  own: { ${at(vendor.url, 'dialects: [anthropic-messages], models: [o]')} }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
  await lenient.close();
});

async function post(path: string, body: object): Promise<Response> {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response;
}

const LONG = `mcp.files__${'read_'.repeat(26)}`;
const OBJECT = { type: 'object', properties: {} };
const USAGE = { input: 9, output: 5 };
const chat = (name: string, parameters: object, more: object = {}) => ({
  type: 'function',
  function: { name, parameters, ...more },
});
const HI = [{ role: 'user', content: 'Hi' }];

test('inner names and schemas of a namespace are fitted, and each call comes back under its own name', async () => {
  vendor.plan(
    (request) => {
      const [outer] = field(request.json, 'tools') as object[];
      const names = (field(outer, 'tools') as object[]).map((tool) => String(field(tool, 'name')));
      const calls = names.map((name, index) => ({ id: `call_${index}`, name, input: {} }));
      return scripted('openai-responses', [{ calls, usage: USAGE }])(request);
    },
    { times: 2 },
  );
  const tools = [
    {
      type: 'namespace',
      name: 'mcp',
      tools: [`${LONG}a`, `${LONG}b`].map((name) => ({ type: 'function', name, parameters: { type: 'object' } })),
    },
  ];
  for (const stream of [false, true]) {
    const text = await (await post('/v1/responses', { model: 'openai/r', input: 'Hi', tools, stream })).text();
    for (const end of ['a', 'b']) assert.ok(text.includes(`"name":"${LONG}${end}"`), text);
    const inner = field(vendor.requests.at(-1)?.json, 'tools', '0', 'tools') as object[];
    const names = inner.map((tool) => String(field(tool, 'name')));
    assert.equal(new Set(names).size, 2);
    for (const name of names) assert.match(name, /^[\w-]{1,64}$/);
    for (const tool of inner) assert.deepEqual(field(tool, 'parameters'), OBJECT);
  }
});

test('tools that an item brings, and names that only the conversation holds, are fitted', async () => {
  vendor.plan(scripted('openai-responses', [{ text: 'Fine.', usage: USAGE }]), { times: 1 });
  const input = [
    ...HI,
    { type: 'function_call', call_id: 'c1', name: LONG, arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: LONG },
    { type: 'tool_search_call', call_id: 'c2', execution: 'client', arguments: { name: LONG } },
    { type: 'tool_search_output', call_id: 'c2', execution: 'client', tools: [{ type: 'function', name: 'a.b' }] },
  ];
  await post('/v1/responses', { model: 'openai/r', input });
  const sent = field(vendor.requests.at(-1)?.json, 'input') as object[];
  assert.match(String(field(sent[1], 'name')), /^[\w-]{1,64}$/);
  assert.deepEqual(sent.slice(2, 4), input.slice(2, 4));
  assert.match(String(field(sent[4], 'tools', '0', 'name')), /^[\w-]{1,64}$/);
});

test('allowed tools and a choice of one are named as they are declared', async () => {
  const tools = [chat(LONG, OBJECT), chat('plain', OBJECT)];
  const one = { type: 'function', function: { name: LONG } };
  for (const choice of [one, { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [one] } }]) {
    await post('/v1/chat/completions', { model: 'likeopenai/c', messages: HI, tools, tool_choice: choice });
    const sent = vendor.requests.at(-1)!;
    assert.ok(!sent.body.includes(LONG), sent.body.toString());
    assert.ok(
      JSON.stringify(field(sent.json, 'tool_choice')).includes(
        String(field(sent.json, 'tools', '0', 'function', 'name')),
      ),
    );
  }
});

test('patterns that look around stand in the description, and the function is not held to the rest', async () => {
  const schema = { ...OBJECT, properties: { mail: { type: 'string', pattern: '^(?!\\.)[^@]+@' } } };
  const tools = [chat('a', schema, { strict: true }), chat('b', { ...OBJECT, properties: { x: { pattern: '^a$' } } })];
  const response = await post('/v1/chat/completions', { model: 'likeopenai/c', messages: HI, tools });
  assert.equal(response.headers.get('service-dropped'), 'tool_schema, strict');
  const [first, second] = field(vendor.requests.at(-1)?.json, 'tools') as object[];
  assert.equal(field(first, 'function', 'parameters', 'properties', 'mail', 'pattern'), undefined);
  assert.match(String(field(first, 'function', 'parameters', 'properties', 'mail', 'description')), /\(\?!/);
  assert.equal(field(first, 'function', 'strict'), undefined);
  assert.deepEqual(second, tools[1]);
});

test('properties under names that Anthropic refuses stand in the description, in both kinds of calls', async () => {
  const schema = {
    type: 'object',
    properties: { 'filter[id]': { type: 'string' }, plain: { type: 'string' } },
    required: ['filter[id]', 'plain'],
    additionalProperties: false,
  };
  for (const model of ['anthropic/claude-a', 'own/o']) {
    for (const path of ['/v1/messages', '/v1/chat/completions']) {
      vendor.plan(scripted('anthropic-messages', [{ text: 'Fine.', usage: USAGE }]), { times: 1 });
      const tools = path === '/v1/messages' ? [{ name: 'a', input_schema: schema }] : [chat('a', schema)];
      const response = await post(path, { model, max_tokens: 50, messages: HI, tools });
      assert.equal(response.headers.get('service-dropped'), 'tool_schema');
      const sent = field(vendor.requests.at(-1)?.json, 'tools', '0');
      const expected = { type: 'object', properties: { plain: { type: 'string' } }, required: ['plain'] };
      assert.deepEqual(field(sent, 'input_schema'), expected);
      assert.match(String(field(sent, 'description')), /filter\[id\].*must have/);
    }
  }
});

test('bodies of count_tokens are fitted, too', async () => {
  vendor.plan(() => jsonReply(200, { input_tokens: 77 }), { times: 1, path: '/v1/messages/count_tokens' });
  const tools = [{ name: LONG, input_schema: { ...OBJECT, anyOf: [{ required: ['a'] }, {}] } }];
  const messages = [...HI, { role: 'user', content: [{ type: 'text', text: ' ' }] }];
  const response = await post('/v1/messages/count_tokens', { model: 'anthropic/claude-a', messages, tools });
  assert.deepEqual(await response.json(), { input_tokens: 77 });
  const sent = vendor.requests.at(-1)!;
  assert.match(String(field(sent.json, 'tools', '0', 'name')), /^[\w-]{1,128}$/);
  assert.deepEqual(field(sent.json, 'tools', '0', 'input_schema'), OBJECT);
  assert.equal((field(sent.json, 'messages') as object[]).length, 1);
});

const DEEP = {
  type: 'object',
  properties: {
    any: true,
    never: false,
    n: { type: 'integer', minimum: 0, exclusiveMinimum: true, format: 'int32' },
    pair: { type: 'array', items: [{ type: 'string' }, true] },
    word: { const: 'x' },
    level: { enum: [1, 2] },
  },
};

test('each vendor gets schemas as its row says, passed and translated', async () => {
  const expected: Record<string, object> = {
    mistral: { any: true, never: false, n: { type: 'integer', exclusiveMinimum: 0, format: 'int32' } },
    fireworks: { any: {}, n: DEEP.properties.n },
    gemini: { any: {}, n: { type: 'integer', format: 'int32' }, word: { type: 'string', enum: ['x'] } },
  };
  for (const [id, own] of Object.entries(expected)) {
    const model = { mistral: 'mistral/mi', fireworks: 'fireworks/f', gemini: 'gemini/g' }[id]!;
    await post('/v1/chat/completions', { model, messages: HI, tools: [chat('a', DEEP), chat('e', OBJECT)] });
    const [passed, empty] = field(lenient.requests.at(-1)?.json, 'tools') as object[];
    const properties = field(passed, 'function', 'parameters', 'properties') as Record<string, object>;
    for (const [name, schema] of Object.entries(own)) {
      const { description: _, ...said } = properties[name] as { description?: string };
      assert.deepEqual(typeof schema === 'boolean' ? properties[name] : said, schema, `${id} ${name}`);
    }
    assert.equal('never' in properties, id === 'mistral');
    assert.deepEqual(field(empty, 'function', 'parameters'), id === 'gemini' ? undefined : OBJECT);

    await post('/v1/messages', { model, max_tokens: 50, messages: HI, tools: [{ name: 'a', input_schema: DEEP }] });
    const translated = field(lenient.requests.at(-1)?.json, 'tools', '0', 'function', 'parameters', 'properties');
    assert.deepEqual(field(translated, 'any'), {});
    assert.equal(field(translated, 'never'), undefined);
    assert.notEqual(field(translated, 'n', 'exclusiveMinimum'), true);
    assert.ok(!Array.isArray(field(translated, 'pair', 'items')));
  }
});

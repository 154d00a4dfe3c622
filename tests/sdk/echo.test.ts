import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { startHeadgate } from '../support/headgate.ts';

/** The models of vectors that answer under their bare names while no vendor is on. */
const LENGTHS = { 'text-embedding-3-small': 1536, 'text-embedding-3-large': 3072, 'text-embedding-ada-002': 1536 };

const headgate = await startHeadgate();
after(() => headgate[Symbol.asyncDispose]());
const client = new OpenAI({ baseURL: `${headgate.url}/v1`, apiKey: headgate.key, maxRetries: 0 });

test('a streamed tool call with arguments that fit the schema', async () => {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
    required: ['city', 'days'],
  };
  const stream = client.chat.completions.stream({
    model: 'echo',
    messages: [{ role: 'user', content: 'Oslo' }],
    tools: [
      { type: 'function', function: { name: 'other', parameters: {} } },
      { type: 'function', function: { name: 'weather', parameters } },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
  });
  const [choice] = (await stream.finalChatCompletion()).choices;
  assert.equal(choice?.finish_reason, 'tool_calls');
  const [call] = choice?.message.tool_calls ?? [];
  assert.ok(call?.type === 'function');
  assert.match(call.id, /^call_/);
  assert.equal(call.function.name, 'weather');
  assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Oslo', days: 0 });
});

test('a required tool is the first, unstreamed too; an optional one is not called', async () => {
  const tools = [{ type: 'function' as const, function: { name: 'first' } }];
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const called = await client.chat.completions.create({ model: 'echo', messages, tools, tool_choice: 'required' });
  const [call] = called.choices[0]?.message.tool_calls ?? [];
  assert.ok(call?.type === 'function');
  assert.deepEqual([call.function.name, call.function.arguments], ['first', '{}']);
  const said = await client.chat.completions.create({ model: 'echo', messages, tools });
  assert.equal(said.choices[0]?.message.content, 'hi');
});

test('structured output parses', async () => {
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string' },
      pages: { type: 'number' },
      draft: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      kind: { enum: ['novel', 'poem'] },
      author: { $ref: '#/$defs/person' },
    },
    required: ['title', 'pages', 'draft', 'tags', 'kind', 'author'],
    $defs: { person: { type: 'object', properties: { name: { type: ['string', 'null'] } }, required: ['name'] } },
  };
  const { choices } = await client.chat.completions.parse({
    model: 'echo',
    messages: [{ role: 'user', content: 'Moby' }],
    response_format: { type: 'json_schema', json_schema: { name: 'book', schema, strict: true } },
  });
  assert.deepEqual(JSON.parse(choices[0]?.message.content ?? ''), {
    title: 'Moby',
    pages: 0,
    draft: false,
    tags: [],
    kind: 'novel',
    author: { name: 'Moby' },
  });
  const messages = [{ role: 'user' as const, content: 'Hello, wide world!' }];
  const free = await client.chat.completions.create({
    model: 'echo',
    messages,
    response_format: { type: 'json_object' },
  });
  assert.deepEqual(JSON.parse(free.choices[0]?.message.content ?? ''), { text: 'Hello, wide world!' });
});

test('vectors are unit, of the model’s length, and the same for the same text', async () => {
  for (const [id, dimensions] of Object.entries(LENGTHS)) {
    const { data, usage, model } = await client.embeddings.create({ model: id, input: ['a b', 'c', 'a b'] });
    const [first, second, third] = data.map(({ embedding }) => embedding);
    assert.equal(model, id);
    assert.deepEqual(usage, { prompt_tokens: 5, total_tokens: 5 });
    assert.equal(first?.length, dimensions);
    assert.ok(Math.abs(Math.hypot(...(first ?? [])) - 1) < 1e-5);
    assert.deepEqual(first, third);
    assert.notDeepEqual(first, second);
  }
});

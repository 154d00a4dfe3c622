import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quirks, SchemaForm } from '../../core/quirks.ts';
import { DIALECTS } from '../../dialects/built.ts';
import type { Envelope } from '../../dialects/dialect.ts';
import { fitTools } from './passed-tools.ts';

const chat = DIALECTS.find(({ id }) => id === 'openai-chat')!;
const OBJECT = { type: 'object', properties: {} };

function chatCall(tools: readonly object[], more: object = {}): Envelope {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools, ...more };
  return chat.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), { maxJsonDepth: 64, maxEmbeddingInputs: 1 });
}

const tool = (name: string, parameters: object = OBJECT) => ({ type: 'function', function: { name, parameters } });
const refusing = (...refuses: SchemaForm[]): Quirks => ({ tools: { longestName: 64, refuses, source: 'a test' } });
const NAMES = refusing();
const sentTools = (call: Envelope) => JSON.parse(call.body.toString()).tools;

test('names of up to 64 letters, digits, _ and - are left alone, and one more or another is not', () => {
  for (const name of ['a', '0-_Z', 'a'.repeat(64)])
    assert.equal(fitTools(chatCall([tool(name)]), chat, NAMES), null, name);
  for (const name of ['a.b', 'a b', 'ä', 'a'.repeat(65), '']) {
    const fitted = fitTools(chatCall([tool(name)]), chat, NAMES);
    const [sent, own] = [...fitted!.sent][0]!;
    assert.equal(own, name);
    assert.match(sent, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(sentTools(fitted!.envelope)[0].function.name, sent);
  }
});

test('names in escapes are read before they are judged', () => {
  const call = chatCall([tool('aXb')]);
  const escaped = Buffer.from(call.body.toString().replace('aXb', 'a\\u0062'));
  const read = chat.inbound.readEnvelope(escaped, { maxJsonDepth: 64, maxEmbeddingInputs: 1 });
  assert.equal(fitTools(read, chat, NAMES), null);
});

test('no two names become one, and none becomes another of the call', () => {
  const long = ['x', 'y'].map((end) => 'a'.repeat(70) + end);
  const first = [...fitTools(chatCall([tool(long[0]!)]), chat, NAMES)!.sent.keys()][0]!;
  const { sent } = fitTools(chatCall([tool(first), ...long.map((name) => tool(name))]), chat, NAMES)!;
  assert.deepEqual([...sent.values()], long);
  assert.equal(new Set([...sent.keys(), first]).size, 3);
});

test('names that must begin with a letter', () => {
  const call = chatCall([tool('21st')]);
  assert.equal(
    [...fitTools(call, chat, { tools: { ...NAMES.tools!, startsWithLetter: true } })!.sent.values()][0],
    '21st',
  );
  assert.equal(fitTools(call, chat, NAMES), null);
});

test('a schema is changed for those who refuse it, and passes to others', () => {
  const forms: readonly [SchemaForm, object][] = [
    ['no-properties', { type: 'object' }],
    ['root-union', { ...OBJECT, anyOf: [{ required: ['a'] }] }],
    ['root-union', { $ref: '#/$defs/a', $defs: { a: OBJECT } }],
    ['root-union', { properties: {} }],
    ['type-list', { ...OBJECT, properties: { a: { type: ['string', 'null'] } } }],
    ['ref', { ...OBJECT, properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { type: 'string' } } }],
    ['typed-union', { ...OBJECT, properties: { a: { type: 'string', anyOf: [{ minLength: 1 }, { maxLength: 0 }] } } }],
    ['json-schema', { ...OBJECT, additionalProperties: false }],
    ['root-union', { type: ['object', 'null'], properties: {} }],
    ['property-names', { ...OBJECT, properties: { 'filter[id]': {} } }],
    ['property-names', { ...OBJECT, properties: { ['a'.repeat(65)]: {} } }],
    ['pattern', { ...OBJECT, properties: { a: { pattern: '^(?!x)' } } }],
    ['boolean', { ...OBJECT, properties: { a: true } }],
    ['old-draft', { ...OBJECT, properties: { a: { minimum: 0, exclusiveMinimum: true } } }],
    ['empty', { ...OBJECT }],
  ];
  for (const [form, schema] of forms) {
    const other = tool('b', { ...OBJECT, properties: { x: { type: 'string' } } });
    const fitted = fitTools(chatCall([tool('a', schema), other]), chat, refusing(form));
    const sent = sentTools(fitted!.envelope);
    assert.notDeepEqual(sent[0].function.parameters, schema, form);
    assert.deepEqual(sent[1], other, form);
    assert.equal(fitTools(chatCall([tool('a', schema)]), chat, refusing()), null, form);
  }
});

test('where a row says nothing of schemas, they pass as they are', () => {
  assert.equal(fitTools(chatCall([tool('a', { oneOf: [{}] })]), chat, NAMES), null);
  assert.equal(fitTools(chatCall([tool('a', { type: 'object' })]), chat, NAMES), null);
});

test('without a row only that is written otherwise which changes no meaning', () => {
  const union = { type: 'object', properties: {}, oneOf: [{}] };
  assert.equal(fitTools(chatCall([tool('a', union)]), chat, {}), null);
  const { envelope, sent, dropped } = fitTools(chatCall([tool('a.b', { type: 'object' })]), chat, {})!;
  const [short] = [...sent.keys()];
  assert.deepEqual([...sent.values()], ['a.b']);
  assert.deepEqual(JSON.parse(envelope.body.toString()).tools, [tool(short!, { type: 'object', properties: {} })]);
  assert.deepEqual(dropped, []);
});

test('names that only the conversation holds are rewritten, and none becomes another of them', () => {
  const called = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{"name":"x.y"}' } });
  const first = [...fitTools(chatCall([tool('x.y')]), chat, NAMES)!.sent.keys()][0]!;
  const messages = [
    { role: 'user', name: 'not.a.tool', content: 'x.y' },
    { role: 'assistant', tool_calls: [called('x.y'), called(first)] },
    { role: 'tool', tool_call_id: 'x.y', name: 'x.y', content: 'x.y' },
  ];
  const { sent, envelope } = fitTools(chatCall([], { tools: undefined, messages }), chat, NAMES)!;
  const [short] = [...sent.keys()];
  assert.deepEqual([...sent.values()], ['x.y']);
  assert.notEqual(short, first);
  const read = JSON.parse(envelope.body.toString()).messages;
  assert.deepEqual(read[0], messages[0]);
  assert.deepEqual(read[1].tool_calls[0], { ...called('x.y'), function: { name: short, arguments: '{"name":"x.y"}' } });
  assert.deepEqual(read[1].tool_calls[1], called(first));
  assert.deepEqual(read[2], { ...messages[2], name: short });
});

test('functions of the older form are looked at, too', () => {
  const call = chatCall([], { tools: undefined, functions: [{ name: 'a.b', parameters: OBJECT }] });
  assert.equal([...fitTools(call, chat, NAMES)!.sent.values()][0], 'a.b');
});

test('tools that cannot be read are left to the vendor', () => {
  for (const tools of [
    ['a'],
    [{}],
    [{ function: null }],
    [{ type: 'function', function: { parameters: null } }],
    [[]],
  ]) {
    assert.equal(fitTools(chatCall(tools as object[]), chat, NAMES), null, JSON.stringify(tools));
  }
});

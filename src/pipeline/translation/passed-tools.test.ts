import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quirks, SchemaForm } from '../../core/provider.ts';
import { DIALECTS } from '../../dialects/built.ts';
import type { Envelope } from '../../dialects/dialect.ts';
import { fitTools } from './passed-tools.ts';

const chat = DIALECTS.find(({ id }) => id === 'openai-chat')!;
const NAMES = { longest: 64 };
const OBJECT = { type: 'object', properties: {} };

function chatCall(tools: readonly object[], more: object = {}): Envelope {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools, ...more };
  return chat.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), { maxJsonDepth: 64, maxEmbeddingInputs: 1 });
}

const tool = (name: string, parameters: object = OBJECT) => ({ type: 'function', function: { name, parameters } });
const refusing = (...refuses: SchemaForm[]): Quirks => ({ tools: { refuses, source: 'a test' } });
const sentTools = (call: Envelope) => JSON.parse(call.body.toString()).tools;

test('names of up to 64 letters, digits, _ and - are left alone, and one more or another is not', () => {
  for (const name of ['a', '0-_Z', 'a'.repeat(64)])
    assert.equal(fitTools(chatCall([tool(name)]), NAMES, {}), null, name);
  for (const name of ['a.b', 'a b', 'ä', 'a'.repeat(65), '']) {
    const fitted = fitTools(chatCall([tool(name)]), NAMES, {});
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
  assert.equal(fitTools(read, NAMES, {}), null);
});

test('no two names become one, and none becomes another of the call', () => {
  const long = ['x', 'y'].map((end) => 'a'.repeat(70) + end);
  const first = [...fitTools(chatCall([tool(long[0]!)]), NAMES, {})!.sent.keys()][0]!;
  const { sent } = fitTools(chatCall([tool(first), ...long.map((name) => tool(name))]), NAMES, {})!;
  assert.deepEqual([...sent.values()], long);
  assert.equal(new Set([...sent.keys(), first]).size, 3);
});

test('names that must begin with a letter, and any names', () => {
  const call = chatCall([tool('21st')]);
  assert.equal([...fitTools(call, { longest: 64, startsWithLetter: true }, {})!.sent.values()][0], '21st');
  assert.equal(fitTools(call, NAMES, {}), null);
  assert.equal(fitTools(chatCall([tool('a.b')]), { longest: 1, any: true }, {}), null);
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
  ];
  for (const [form, schema] of forms) {
    const fitted = fitTools(chatCall([tool('a', schema), tool('b')]), NAMES, refusing(form));
    const sent = sentTools(fitted!.envelope);
    assert.notDeepEqual(sent[0].function.parameters, schema, form);
    assert.deepEqual(sent[1], tool('b'), form);
    assert.equal(fitTools(chatCall([tool('a', schema)]), NAMES, refusing()), null, form);
  }
});

test('what is not known of a vendor is taken as most have it', () => {
  assert.notEqual(fitTools(chatCall([tool('a', { type: 'object' })]), NAMES, {}), null);
  assert.notEqual(fitTools(chatCall([tool('a', { ...OBJECT, oneOf: [{}] })]), NAMES, {}), null);
  const deep = { ...OBJECT, properties: { a: { type: ['string', 'null'] } } };
  assert.equal(fitTools(chatCall([tool('a', deep)]), NAMES, {}), null);
});

test('functions of the older form are looked at, too', () => {
  const call = chatCall([], { tools: undefined, functions: [{ name: 'a.b', parameters: OBJECT }] });
  assert.equal([...fitTools(call, NAMES, {})!.sent.values()][0], 'a.b');
});

test('tools that cannot be read are left to the vendor', () => {
  for (const tools of [
    ['a'],
    [{}],
    [{ function: null }],
    [{ type: 'function', function: { parameters: null } }],
    [[]],
  ]) {
    assert.equal(fitTools(chatCall(tools as object[]), NAMES, {}), null, JSON.stringify(tools));
  }
});

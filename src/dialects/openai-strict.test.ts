import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Losses } from '../core/losses.ts';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { caseWriteOptions } from './contract/cases.ts';
import type { Dialect } from './dialect.ts';
import { openAiChat } from './openai-chat/openai-chat.ts';
import { openAiResponses } from './openai-responses/openai-responses.ts';
import { mayBeStrict, strictOf } from './openai-strict.ts';

const closed = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const WORD = { type: 'string' };

test('a schema whose objects are closed and whole may be strict', () => {
  const taken = [
    closed({}),
    closed({ a: WORD, b: { type: ['number', 'null'], description: 'How many.' } }, { title: 'T', $schema: 'draft' }),
    closed({ a: { type: 'array', items: closed({ b: { type: 'string', enum: ['x', 'y'] } }) } }),
    closed({ a: { anyOf: [WORD, { type: 'null' }, { $ref: '#/$defs/b' }] } }, { $defs: { b: closed({ c: WORD }) } }),
    // A property may have any name, that of a keyword, too.
    closed({ minLength: WORD, properties: WORD }),
  ];
  for (const schema of taken) assert.equal(mayBeStrict(schema), true, JSON.stringify(schema));
});

test('a schema that OpenAI or Azure would refuse may not', () => {
  let deep: object = WORD;
  for (let depth = 0; depth < 6; depth += 1) deep = closed({ a: deep });
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, WORD]));
  const refused = [
    {},
    WORD,
    { anyOf: [closed({})] },
    closed({}, { additionalProperties: undefined }),
    closed({}, { additionalProperties: true }),
    closed({}, { properties: undefined }),
    closed({ a: WORD, b: WORD }, { required: ['a'] }),
    closed({ a: WORD }, { required: ['a', 'b'] }),
    closed({ a: { type: 'object' } }),
    closed({ a: { type: 'array' } }),
    closed({ a: { type: 'array', items: { type: 'string', format: 'date' } } }),
    closed({ a: { enum: ['x'] } }),
    closed({ a: { allOf: [WORD] } }),
    closed({ a: { $ref: '#/$defs/b', description: 'B.' } }, { $defs: { b: WORD } }),
    closed({ a: WORD }, { $defs: { b: { type: 'object' } } }),
    closed({ a: { type: 'string', enum: Array.from({ length: 501 }, (_, index) => `${index}`) } }),
    closed({ a: true }),
    closed(many),
    deep as Record<string, unknown>,
  ];
  for (const schema of refused) assert.equal(mayBeStrict(schema), false, JSON.stringify(schema).slice(0, 200));
});

test('strict is what the caller said, or what its format means, where the vendor can hold the answer to it', () => {
  const said = (format: { strict?: boolean; held?: true }, schema: object, strictSchemas: boolean) => {
    const losses = new Losses();
    const strict = strictOf({ kind: 'schema', schema: { ...schema }, ...format }, { strictSchemas }, losses);
    return [strict, ...losses.names];
  };
  assert.deepEqual(said({ held: true }, closed({ a: WORD }), true), [true]);
  assert.deepEqual(said({ held: true }, { type: 'object' }, true), [undefined, 'strict']);
  assert.deepEqual(said({ held: true }, closed({ a: WORD }), false), [undefined]);
  assert.deepEqual(said({}, closed({ a: WORD }), true), [undefined]);
  assert.deepEqual(said({ strict: true }, { type: 'object' }, true), [true]);
  assert.deepEqual(said({ strict: false }, closed({}), true), [false]);
});

test('an answer in the form that a caller of messages asked for is strict in both of OpenAI’s formats', () => {
  const schema = closed({ a: WORD });
  const body = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    output_config: { format: { type: 'json_schema', schema } },
  };
  const limits = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
  const envelope = anthropicMessages.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), limits);
  const call = anthropicMessages.translation!.readCall(envelope);
  const options = caseWriteOptions({ quirks: { strictSchemas: true } });
  const written = ({ translation }: Dialect) => JSON.parse(translation!.writeCall(call, options).body.toString());
  const wanted = { name: 'answer', schema, strict: true };
  assert.deepEqual(written(openAiChat).response_format, { type: 'json_schema', json_schema: wanted });
  assert.deepEqual(written(openAiResponses).text.format, { type: 'json_schema', ...wanted });
});

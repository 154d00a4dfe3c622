import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../core/call.ts';
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

test('a function that a caller of messages wants strict is so where the vendor takes its schema, and the caller is told where not', () => {
  const open = { type: 'object', properties: { a: WORD, b: WORD }, required: ['a'], additionalProperties: false };
  const tools = [
    { name: 'whole', input_schema: closed({ a: WORD }), strict: true },
    { name: 'open', input_schema: open, strict: true },
    { name: 'loose', input_schema: open },
  ];
  const call = readMessagesCall({ tools });
  for (const [strictSchemas, ofOpen, dropped] of [
    [true, undefined, ['strict']],
    // Others may take more, or pass it over.
    [false, true, []],
  ] as const) {
    const options = caseWriteOptions({ quirks: { strictSchemas } });
    const written = ({ translation }: Dialect) => {
      const { body, dropped: lost } = translation!.writeCall(call, options);
      return { tools: JSON.parse(body.toString()).tools, lost };
    };
    const chat = written(openAiChat);
    const ofChat = chat.tools.map(({ function: declared }: { function: { strict?: boolean } }) => declared.strict);
    assert.deepEqual([ofChat, chat.lost], [[true, ofOpen, undefined], dropped]);
    const responses = written(openAiResponses);
    const ofResponses = responses.tools.map(({ strict }: { strict: boolean }) => strict);
    assert.deepEqual([ofResponses, responses.lost], [[true, ofOpen ?? false, false], dropped]);
  }
});

test('an answer in the form that a caller of messages asked for is strict in both of OpenAI’s formats', () => {
  const schema = closed({ a: WORD });
  const call = readMessagesCall({ output_config: { format: { type: 'json_schema', schema } } });
  const options = caseWriteOptions({ quirks: { strictSchemas: true } });
  const written = ({ translation }: Dialect) => JSON.parse(translation!.writeCall(call, options).body.toString());
  const wanted = { name: 'answer', schema, strict: true };
  assert.deepEqual(written(openAiChat).response_format, { type: 'json_schema', json_schema: wanted });
  assert.deepEqual(written(openAiResponses).text.format, { type: 'json_schema', ...wanted });
});

/** A call to `/v1/messages` with these members. */
function readMessagesCall(more: object): Call {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...more };
  const limits = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
  const envelope = anthropicMessages.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), limits);
  return anthropicMessages.translation!.readCall(envelope);
}

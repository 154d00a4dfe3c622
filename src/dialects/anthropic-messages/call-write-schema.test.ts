import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Losses } from '../../core/losses.ts';
import { heldSchema } from './call-write-schema.ts';

function held(schema: Record<string, unknown>) {
  const losses = new Losses();
  return { schema: heldSchema(schema, 'response_format', losses), dropped: losses.names };
}

/** The schema of an object with one member, `a`. */
function having(a: unknown) {
  return { type: 'object', properties: { a }, additionalProperties: false };
}

test('limits become words of the description', () => {
  const given = having({ type: 'integer', description: 'Stars.', minimum: 1, maximum: 10 });
  assert.deepEqual(held(given), {
    schema: having({ type: 'integer', description: 'Stars.\n\n{minimum: 1, maximum: 10}' }),
    dropped: ['response_format'],
  });
});

test('every limit that is refused goes, wherever a schema stands', () => {
  const limits = {
    minimum: 1,
    maximum: 2,
    exclusiveMinimum: 0,
    exclusiveMaximum: 3,
    multipleOf: 1,
    minLength: 1,
    maxLength: 2,
    minItems: 2,
    maxItems: 3,
    uniqueItems: true,
    minProperties: 1,
    maxProperties: 2,
  };
  const description =
    '{minimum: 1, maximum: 2, exclusiveMinimum: 0, exclusiveMaximum: 3, multipleOf: 1, minLength: 1, maxLength: 2, ' +
    'minItems: 2, maxItems: 3, uniqueItems: true, minProperties: 1, maxProperties: 2}';
  const around = (inner: object) => ({
    ...having({ type: 'array', items: { anyOf: [inner, { type: 'null' }] } }),
    $defs: { b: inner },
    definitions: { c: inner },
    patternProperties: { '^d': inner },
  });
  assert.deepEqual(held(around(limits)).schema, around({ description }));
});

test('what Anthropic takes stays, and nothing is told as lost', () => {
  for (const minItems of [0, 1]) {
    const given = having({ type: 'array', items: { type: 'string', format: 'date', pattern: '^2' }, minItems });
    assert.deepEqual(held(given), { schema: given, dropped: [] });
  }
});

test('names and values of the caller’s own are no keywords', () => {
  const named = { minimum: { type: 'integer' }, maxItems: { type: 'string' } };
  const values = { type: 'object', minimum: 1, additionalProperties: true };
  const given = {
    type: 'object',
    properties: { ...named, properties: having({ const: values }) },
    $defs: named,
    definitions: named,
    patternProperties: named,
    required: ['minimum'],
    dependentRequired: { minimum: ['maxItems'] },
    default: values,
    examples: [values],
    enum: [values],
    additionalProperties: false,
  };
  assert.deepEqual(held(given), { schema: given, dropped: [] });
});

test('objects are closed, and a schema with an open one is left out', () => {
  const inner = { type: 'object', properties: {} };
  assert.deepEqual(held(having(inner)), {
    schema: having({ ...inner, additionalProperties: false }),
    dropped: [],
  });
  for (const additionalProperties of [true, { type: 'integer' }]) {
    const given = having({ type: 'object', additionalProperties });
    assert.deepEqual(held(given), { schema: undefined, dropped: ['response_format'] });
  }
});

test('a schema is walked to a bound', () => {
  let given: Record<string, unknown> = { minimum: 1 };
  for (let depth = 0; depth < 400; depth += 1) given = { items: given };
  assert.deepEqual(held(given), { schema: given, dropped: [] });
});

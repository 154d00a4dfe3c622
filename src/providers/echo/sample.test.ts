import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SAMPLE_DEPTH, MAX_SAMPLE_TEXT, MAX_SAMPLE_VALUES, sample } from './sample.ts';

test('a value by each kind of rule', () => {
  assert.equal(sample({ type: 'string' }, 't'), 't');
  assert.equal(sample({ type: 'integer' }, 't'), 0);
  assert.equal(sample({ type: ['null', 'string'] }, 't'), null);
  assert.equal(sample({ const: 'c' }, 't'), 'c');
  assert.equal(sample({ enum: ['x', 'y'] }, 't'), 'x');
  assert.deepEqual(sample({ anyOf: [{ type: 'array' }, { type: 'null' }] }, 't'), []);
  assert.deepEqual(sample({ properties: { a: {} }, required: ['a', 'b'] }, 't'), { a: 't', b: 't' });
});

test('a reference is followed within the schema, and nowhere else', () => {
  const schema = { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'boolean' } } };
  assert.equal(sample(schema, 't'), false);
  assert.equal(sample({ $ref: 'https://example.com/schema.json' }, 't'), 't');
  assert.equal(sample({ $ref: '#/constructor/name' }, 't'), 't');
});

test('a schema without end has an end', () => {
  const node = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
  let depth = 0;
  for (let value = sample(node, 't'); value !== null; value = (value as { next: unknown }).next) depth += 1;
  assert.ok(depth > 1 && depth <= MAX_SAMPLE_DEPTH);

  const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
  const bush = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
    required: names,
  };
  const values = JSON.stringify(sample(bush, 't')).split(':').length;
  assert.ok(values > 50 && values < MAX_SAMPLE_VALUES * 2);
});

test('strings have at most so much of the text', () => {
  assert.equal(sample({ type: 'string' }, 'x'.repeat(MAX_SAMPLE_TEXT + 1)), 'x'.repeat(MAX_SAMPLE_TEXT));
});

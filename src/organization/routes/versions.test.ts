import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionChanges } from './versions.ts';

test('what differs is told member by member, and items by their places', () => {
  const before = { targets: ['a', { model: 'b', weight: 1 }], limits: { attempts: 2 }, name: 'One' };
  const after = { targets: ['a', { model: 'b', weight: 3 }, 'c'], limits: { attempts: 2 }, quality: 0 };
  assert.deepEqual(definitionChanges(before, after), [
    { path: 'name', before: 'One', after: undefined },
    { path: 'quality', before: undefined, after: 0 },
    { path: 'targets[1].weight', before: 1, after: 3 },
    { path: 'targets[2]', before: undefined, after: 'c' },
  ]);
  assert.deepEqual(definitionChanges(before, structuredClone(before)), []);
  assert.deepEqual(definitionChanges({ a: [1] }, { a: { 0: 1 } }), [{ path: 'a', before: [1], after: { 0: 1 } }]);
});

test('a member may be called like what every object has', () => {
  assert.deepEqual(definitionChanges({ metadata: {} }, { metadata: { constructor: 'x' } }), [
    { path: 'metadata.constructor', before: undefined, after: 'x' },
  ]);
});

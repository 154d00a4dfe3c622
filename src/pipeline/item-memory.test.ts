import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ItemMemory } from './item-memory.ts';

const HOUR = 3_600_000;

function memory(maxItems: number) {
  const clock = { now: 0 };
  const items = new ItemMemory(
    () => ({ limits: { maxOutputItems: maxItems }, retention: { outputItems: HOUR } }),
    () => clock.now,
  );
  return { items, clock };
}

test('an item is found by the key it was made for, and by no other', () => {
  const { items } = memory(10_000);
  items.keep('key_a', 'msg_1', '{"a":1}');
  assert.equal(items.find('key_a', 'msg_1'), '{"a":1}');
  assert.equal(items.find('key_b', 'msg_1'), undefined);
  assert.equal(items.find('key_a', 'msg_2'), undefined);
  items.keep('key_a', 'msg_1', '{"a":2}');
  assert.equal(items.find('key_a', 'msg_1'), '{"a":2}');
});

test('an item is kept for its time, and no longer', () => {
  const { items, clock } = memory(10_000);
  items.keep('k', 'a', '{}');
  clock.now = HOUR - 1;
  assert.equal(items.find('k', 'a'), '{}');
  clock.now = HOUR;
  assert.equal(items.find('k', 'a'), undefined);
});

test('past the limit the oldest give way, whosever they are', () => {
  const { items } = memory(1400);
  for (const key of ['a', 'b', 'c', 'd', 'e']) items.keep(key, 'x', 'x'.repeat(100));
  const kept = ['a', 'b', 'c', 'd', 'e'].filter((key) => items.find(key, 'x') !== undefined);
  assert.deepEqual(kept, ['b', 'c', 'd', 'e']);
});

test('one key’s items take a quarter of it at most, and no more from the others', () => {
  const { items } = memory(4000);
  items.keep('other', 'x', 'x'.repeat(100));
  for (const id of ['a', 'b', 'c', 'd']) items.keep('k', id, 'x'.repeat(100));
  const kept = ['a', 'b', 'c', 'd'].filter((id) => items.find('k', id) !== undefined);
  assert.deepEqual(kept, ['b', 'c', 'd']);
  assert.equal(items.find('other', 'x')?.length, 100);
  items.keep('k', 'big', 'x'.repeat(801));
  assert.equal(items.find('k', 'big'), undefined);
  items.keep('k', 'fits', 'x'.repeat(800));
  assert.equal(items.find('k', 'fits')?.length, 800);
  assert.equal(items.find('k', 'd'), undefined);
});

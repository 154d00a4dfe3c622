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

test('what is not kept here is brought from elsewhere, once, and for as long as it had there', async () => {
  const clock = { now: 0 };
  const there = memory(10_000).items;
  there.keep('k', 'a', '{"a":1}');
  const asked: (readonly string[])[] = [];
  const here = new ItemMemory(
    () => ({ limits: { maxOutputItems: 10_000 }, retention: { outputItems: 2 * HOUR } }),
    () => clock.now,
    async (keyId, ids) => {
      asked.push(ids);
      return there.kept(keyId, ids);
    },
  );
  here.keep('k', 'own', '{}');
  assert.equal(here.bring('k', ['own']), null);
  await here.bring('k', ['own', 'a', 'nobody']);
  assert.deepEqual(asked, [['a', 'nobody']]);
  assert.equal(here.find('k', 'a'), '{"a":1}');
  assert.equal(here.bring('k', ['a']), null);
  clock.now = HOUR;
  assert.equal(here.find('k', 'a'), undefined);
});

test('an only memory has nobody to ask', () => {
  assert.equal(memory(10_000).items.bring('k', ['a']), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptItems } from './kept-items.ts';

test('items of one answer are kept up to 4 Mi characters; what comes behind is not', () => {
  const kept = new KeptItems();
  const item = (id: string, length: number) => ({
    type: 'reasoning',
    id,
    summary: [],
    encrypted_content: 'x'.repeat(length),
  });
  const rest = JSON.stringify(item('rs_1', 0)).length;
  kept.done(0, item('rs_1', 4 * 1024 * 1024 - rest));
  kept.done(1, item('rs_2', 0));
  assert.deepEqual(
    kept.items.map(({ id }) => id),
    ['rs_1'],
  );
  const more = new KeptItems();
  more.done(0, item('rs_1', 4 * 1024 * 1024 - rest + 1));
  assert.deepEqual(more.items, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf } from './when.ts';

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

test('a moment is a while from now or a date', () => {
  assert.equal(momentOf('7d', NOW, 'ago'), NOW - 7 * DAY);
  assert.equal(momentOf('7d', NOW, 'ahead'), NOW + 7 * DAY);
  assert.equal(momentOf('2027-01-31', NOW, 'ago'), Date.UTC(2027, 0, 31));
  for (const text of ['7', '7x', '2027-13-01', '']) assert.equal(momentOf(text, NOW, 'ago'), null, text);
});

test('a while that leads beyond all dates is no moment', () => {
  const most = Math.floor((8.64e15 - NOW) / DAY);
  assert.equal(momentOf(`${most}d`, NOW, 'ahead'), NOW + most * DAY);
  for (const text of [`${most + 1}d`, '999999999d', `${'9'.repeat(400)}d`]) {
    assert.equal(momentOf(text, NOW, 'ahead'), null, text);
  }
  assert.equal(momentOf('999999999d', NOW, 'ago'), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stampOf } from './stamp.ts';

const WRITTEN = Date.UTC(2026, 10, 21, 23);
const HEADED = JSON.stringify({ source: 'models.dev (MIT License), snapshot of 2026-07-02', providers: {} });

test('what the options say goes before what the file says', () => {
  assert.deepEqual(stampOf(HEADED, WRITTEN, { source: 'us', date: '2026-10-01' }), {
    source: 'us',
    date: '2026-10-01',
  });
});

test('the head of the file says who and since when', () => {
  assert.deepEqual(stampOf(HEADED, WRITTEN, {}), { source: 'models.dev', date: '2026-07-02' });
  const dated = JSON.stringify({ source: 'our list', date: '2026-08-01T10:00:00Z' });
  assert.deepEqual(stampOf(dated, WRITTEN, {}), { source: 'our list', date: '2026-08-01' });
});

test('a file without a head is models.dev’s, of the day on which it was written', () => {
  const plain = JSON.stringify({ openai: { models: {} }, source: { models: {} } });
  assert.deepEqual(stampOf(plain, WRITTEN, {}), { source: 'models.dev', date: '2026-11-21' });
  assert.deepEqual(stampOf('no JSON', WRITTEN, {}), { source: 'models.dev', date: '2026-11-21' });
});

test('a day must be one', () => {
  assert.throws(() => stampOf(HEADED, WRITTEN, { date: 'today' }), /^UsageError: --date must be a day such as/);
});

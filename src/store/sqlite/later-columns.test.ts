import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures.test.ts';
import { laterColumns } from './later-columns.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

test('a start makes the columns of tokens and sums that a database of an earlier version has not, once', async (t) => {
  const database = await openDatabase(temporaryFolder(t), 'normal', 1_000);
  t.after(() => database.close());
  assert.deepEqual(laterColumns(database), []);
  database.exec('alter table calls drop column reasoning_tokens');
  assert.deepEqual(laterColumns(database), ['alter table calls add column reasoning_tokens integer']);
  migrate(database);
  assert.deepEqual(laterColumns(database), []);
  assert.deepEqual(database.prepare('select reasoning_tokens from calls').all(), []);
  database.exec('alter table usage_days drop column retried');
  migrate(database);
  assert.deepEqual(database.prepare('select retried from usage_days').all(), []);
});

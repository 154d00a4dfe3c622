import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { joinLosses } from '../../core/losses.ts';
import { StorageOpenError } from '../errors.ts';
import { temporaryFolder } from '../fixtures.test.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

test('the folder and the files in it are closed to other users', async (t) => {
  const folder = join(temporaryFolder(t), 'a', 'b');
  using database = await openDatabase(folder, 'normal', 1_000);
  database.exec("insert into organizations values ('org_1', 'First', 1)");
  assert.equal(modeOf(folder), 0o700);
  for (const name of ['headgate.db', 'headgate.db-wal', 'headgate.db-shm']) {
    assert.equal(modeOf(join(folder, name)), 0o600, name);
  }
});

test('a folder that is there already keeps its permissions', async (t) => {
  const folder = join(temporaryFolder(t), 'shared');
  mkdirSync(folder);
  chmodSync(folder, 0o750);
  using _ = await openDatabase(folder, 'normal', 1_000);
  assert.equal(modeOf(folder), 0o750);
});

test('durability is a setting', async (t) => {
  const folder = temporaryFolder(t);
  using normal = await openDatabase(folder, 'normal', 1_000);
  using full = await openDatabase(folder, 'full', 1_000);
  assert.equal(normal.prepare('pragma synchronous').get()?.synchronous, 1);
  assert.equal(full.prepare('pragma synchronous').get()?.synchronous, 2);
  assert.equal(full.prepare('pragma journal_mode').get()?.journal_mode, 'wal');
  assert.equal(full.prepare('pragma foreign_keys').get()?.foreign_keys, 1);
});

test('two may open an empty folder at once', async (t) => {
  const folder = temporaryFolder(t);
  const opened = await Promise.all([openDatabase(folder, 'normal', 1_000), openDatabase(folder, 'normal', 1_000)]);
  for (const database of opened) {
    assert.equal(database.prepare('pragma user_version').get()?.user_version, MIGRATIONS.length);
    database.close();
  }
});

test('a database of a newer version is refused with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  const newer = await openDatabase(folder, 'normal', 1_000);
  newer.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
  newer.close();
  await assert.rejects(openDatabase(folder, 'normal', 1_000), (error) => {
    assert.ok(error instanceof StorageOpenError);
    assert.match(
      error.message,
      /headgate\.db cannot be used: it was written by a newer headgate .*backup from before it\.$/,
    );
    return true;
  });
});

test('a file that is no database, and a folder that cannot be made, are refused with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'headgate.db'), 'not a database, but as long as the header of one would be '.repeat(4));
  await assert.rejects(openDatabase(folder, 'normal', 1_000), /cannot be used: file is not a database\.$/);
  await assert.rejects(openDatabase(join(folder, 'headgate.db'), 'normal', 1_000), /cannot be used: EEXIST/);
});

test('a migration that fails leaves the database as it was', () => {
  using database = new DatabaseSync(':memory:');
  const broken = 'create table half (a integer); create table half (a integer);';
  assert.throws(() => migrate(database, [...MIGRATIONS, broken]), /half already exists/);
  assert.equal(database.prepare('pragma user_version').get()?.user_version, 0);
  assert.deepEqual(database.prepare('select name from sqlite_schema').all(), []);
  migrate(database);
  migrate(database, [...MIGRATIONS, 'create table whole (a integer)']);
  assert.equal(database.prepare('pragma user_version').get()?.user_version, MIGRATIONS.length + 1);
});

test('attempts of before stand where they do now: the last in its call, the others beside it', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, MIGRATIONS.slice(0, 3));
  const calls = database.prepare(
    `insert into calls (organization_id, id, request_id, key_id, source, dialect, model, requested_model, provider,
       upstream_model, streamed, created_at, estimated_input_tokens, instance_id, status, settled_at, usage_source)
     values ('org_1', ?, 'req', 'key_1', 'api_key', 'openai-chat', 'm', 'm', 'lab', 'm-1', 0, 1, 1, 'i', ?, 9, 'provider')`,
  );
  for (const [id, status] of [
    ['twice', 'succeeded'],
    ['once', 'failed'],
    ['never', 'cancelled'],
  ] as const)
    calls.run(id, status);
  const attempts = database.prepare(
    `insert into attempts (call_id, number, provider, upstream_model, status, http_status, upstream_request_id, started_at,
       ended_at, usage_source) values (?, ?, 'lab', 'm-1', ?, ?, ?, ?, ?, ?)`,
  );
  attempts.run('twice', 1, 'failed', 429, 'theirs-1', 1, 2, 'none');
  attempts.run('twice', 2, 'succeeded', 200, 'theirs-2', 3, 9, 'provider');
  attempts.run('once', 1, 'failed', 500, null, 4, 9, 'provider');
  const all = 'select * from attempts order by call_id, number';
  const before = database.prepare(all).all();
  migrate(database);
  assert.deepEqual(
    database
      .prepare(all)
      .all()
      .map(({ credential, possibly_billed, ...attempt }) => [attempt, credential, possibly_billed]),
    before.map((attempt) => [{ ...attempt }, 'default', 0]),
  );
  assert.deepEqual(
    database
      .prepare('select id, attempts from calls order by id')
      .all()
      .map((row) => ({ ...row })),
    [
      { id: 'never', attempts: 0 },
      { id: 'once', attempts: 1 },
      { id: 'twice', attempts: 2 },
    ],
  );
  database.exec("delete from calls where id = 'twice'");
  assert.equal(database.prepare('select count(*) as left from attempts').get()?.left, 1);
});

test('over-long lists of names of before are bounded, and others left as they are', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, MIGRATIONS.slice(0, 6));
  const calls = database.prepare(
    `insert into calls (organization_id, id, request_id, key_id, source, dialect, model, requested_model, provider,
       upstream_model, streamed, created_at, estimated_input_tokens, instance_id, status, dropped)
     values ('org_1', ?, 'req', 'key_1', 'api_key', 'openai-chat', 'm', 'm', 'lab', 'm-1', 0, 1, 1, 'i', 'succeeded', ?)`,
  );
  const lists: Readonly<Record<string, readonly string[] | null>> = {
    none: null,
    few: ['stop', 'é “x”'],
    long: ['x'.repeat(2_000_000), 'stop'],
    many: Array.from({ length: 200_000 }, (_, index) => `"field" ${index}`),
  };
  for (const [id, names] of Object.entries(lists)) calls.run(id, names === null ? null : JSON.stringify(names));
  migrate(database);
  for (const [id, names] of Object.entries(lists)) {
    const text = database.prepare('select dropped from calls where id = ?').get(id)?.dropped as string | null;
    const bounded = text === null ? null : (JSON.parse(text) as string[]);
    assert.deepEqual(bounded, names === null ? null : joinLosses(names), id);
  }
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StorageOpenError } from '../errors.ts';
import { temporaryFolder } from '../fixtures.test.ts';
import { MIGRATIONS, migrate, SCHEMA_VERSION } from './migrate.ts';
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
    assert.equal(database.prepare('pragma user_version').get()?.user_version, SCHEMA_VERSION);
    database.close();
  }
});

test('a database of a newer version is refused with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  const newer = await openDatabase(folder, 'normal', 1_000);
  newer.exec(`pragma user_version = ${SCHEMA_VERSION + 1}`);
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
  assert.throws(() => migrate(database, after(broken)), /half already exists/);
  assert.equal(database.prepare('pragma user_version').get()?.user_version, 0);
  assert.deepEqual(database.prepare('select name from sqlite_schema').all(), []);
  migrate(database);
  migrate(database, after('create table whole (a integer)'));
  assert.equal(database.prepare('pragma user_version').get()?.user_version, SCHEMA_VERSION + 1);
});

test('a database that another process brings up to date at the same time is opened', (t) => {
  const path = join(temporaryFolder(t), 'headgate.db');
  using database = new DatabaseSync(path);
  database.exec(readFileSync(new URL('../../../tests/data-folder/schema-35/headgate.sql', import.meta.url), 'utf8'));
  const { prepare } = database;
  // The other process is done between the first look at the version and what follows it.
  database.prepare = (sql) => {
    const statement = prepare.call(database, sql);
    if (sql !== 'pragma user_version') return statement;
    database.prepare = prepare;
    const found = statement.get();
    using other = new DatabaseSync(path);
    migrate(other);
    t.mock.method(statement, 'get', () => found);
    return statement;
  };
  migrate(database);
  assert.equal(database.prepare('pragma user_version').get()?.user_version, SCHEMA_VERSION);
});

test('a database from before the first release is refused with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  const older = await openDatabase(folder, 'normal', 1_000);
  older.exec(`pragma user_version = ${MIGRATIONS.oldest - 1}`);
  older.close();
  await assert.rejects(
    openDatabase(folder, 'normal', 1_000),
    /headgate\.db cannot be used: .*before the first release \(schema 22, .* empty data folder\.$/,
  );
});

/** The migrations with one more. */
function after(step: string) {
  return { ...MIGRATIONS, steps: [...MIGRATIONS.steps, step] };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

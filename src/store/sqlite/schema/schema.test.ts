import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate, SCHEMA_VERSION } from '../migrate.ts';

for (const version of [23, 35]) {
  test(`a database of version ${version} gets the schema of a new one`, () => {
    using older = databaseOf(version);
    const calls = older.prepare('select count(*) as calls from calls').get();
    migrate(older);
    using fresh = new DatabaseSync(':memory:');
    migrate(fresh);
    assert.deepEqual(described(older), described(fresh));
    assert.equal(older.prepare('pragma user_version').get()?.user_version, SCHEMA_VERSION);
    assert.deepEqual(older.prepare('select count(*) as calls from calls').get(), calls);
    const counters = (database: DatabaseSync) => database.prepare('select name from counters order by name').all();
    assert.deepEqual(counters(older), counters(fresh));
  });

  test(`one of version ${version} whose old records were never grouped is refused, and left as it is`, () => {
    using older = databaseOf(version);
    older.exec("insert into ungrouped_calls values ('org_1', 'usage_1')");
    assert.throws(
      () => migrate(older),
      new RegExp(`^Error: records .* not been prepared yet \\(schema ${version}\\): .* then start this one$`),
    );
    assert.equal(older.prepare('pragma user_version').get()?.user_version, version);
  });
}

/** A database as a gateway of this version of the schema left it. */
function databaseOf(version: number): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  const kept = new URL(`../../../../tests/data-folder/schema-${version}/headgate.sql`, import.meta.url);
  database.exec(readFileSync(kept, 'utf8'));
  assert.equal(database.prepare('pragma user_version').get()?.user_version, version);
  return database;
}

/** Everything in the schema but the order of columns, which statements do not rely on. */
function described(database: DatabaseSync): unknown[] {
  const made = database.prepare(
    "select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by name",
  );
  return made.all().map(({ type, name, sql }) => {
    if (type !== 'table')
      return [
        type,
        name,
        String(sql)
          .toLowerCase()
          .replace(/["\s]+/g, ' ')
          .replaceAll(' ( ', ' ('),
      ];
    const columns = database.prepare(
      'select name, type, "notnull", dflt_value, pk from pragma_table_info(?) order by name',
    );
    const keys = database.prepare('select "from", "table", "to" from pragma_foreign_key_list(?) order by "from"');
    const options = /\)\s*([^)]*)$/.exec(String(sql))?.[1];
    const checks = String(sql).match(/\b(?:unique|check) \(.*\)/g);
    return [type, name, columns.all(String(name)), keys.all(String(name)), options, checks];
  });
}

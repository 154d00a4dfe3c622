import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate, SCHEMA_VERSION } from '../migrate.ts';

const OLDEST = readFileSync(new URL('../../../../tests/data-folder/schema-35/headgate.sql', import.meta.url), 'utf8');

test('a database of the oldest version that can be read gets the schema of a new one', () => {
  using oldest = new DatabaseSync(':memory:');
  oldest.exec(OLDEST);
  assert.equal(oldest.prepare('pragma user_version').get()?.user_version, 35);
  const calls = oldest.prepare('select count(*) as calls from calls').get();
  migrate(oldest);
  using fresh = new DatabaseSync(':memory:');
  migrate(fresh);
  assert.deepEqual(described(oldest), described(fresh));
  assert.equal(oldest.prepare('pragma user_version').get()?.user_version, SCHEMA_VERSION);
  assert.deepEqual(oldest.prepare('select count(*) as calls from calls').get(), calls);
  const counters = (database: DatabaseSync) => database.prepare('select name from counters order by name').all();
  assert.deepEqual(counters(oldest), counters(fresh));
});

test('a database whose old records were never grouped is refused, and left as it is', () => {
  using oldest = new DatabaseSync(':memory:');
  oldest.exec(OLDEST);
  oldest.exec("insert into ungrouped_calls values ('org_1', 'usage_1')");
  assert.throws(() => migrate(oldest), /before the first release .*empty data folder$/);
  assert.equal(oldest.prepare('pragma user_version').get()?.user_version, 35);
});

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

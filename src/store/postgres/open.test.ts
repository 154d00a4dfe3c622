import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../sqlite/migrate.ts';
import { emptyDatabase, temporaryPool, WITH_POSTGRES } from './database.test.ts';
import { openDatabase, SCHEMA_VERSION } from './open.ts';

test('both engines have the same tables and columns', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const { rows } = await pool.query<{ name: string; type: string; null: string }>(
    `select table_name || '.' || column_name as name, data_type as type, is_nullable as null
     from information_schema.columns where table_schema = 'headgate' and table_name <> 'schema_state'`,
  );
  using embedded = new DatabaseSync(':memory:');
  migrate(embedded);
  const columns = embedded
    .prepare(
      `select t.name || '.' || c.name as name, lower(c.type) as type, c."notnull" or c.pk > 0 as required
       from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    .all();
  const TYPES = { bigint: 'integer', bytea: 'blob', 'double precision': 'real', text: 'text' };
  /** A view; and what the other engine has in a file of its own. */
  const others = /^(?:attempts|shared_rates|shared_spend|limit_leases|lease_answers)\./;
  assert.deepEqual(
    rows
      .filter(({ name }) => !others.test(name))
      .map(({ name, type, null: is }) => [name, TYPES[type as keyof typeof TYPES], is === 'NO'])
      .sort(),
    columns.map(({ name, type, required }) => [name, type, required === 1]).sort(),
  );
});

test('every text is ordered by bytes', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const { rows } = await pool.query(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'headgate' and data_type = 'text' and collation_name is distinct from 'C'`,
  );
  assert.deepEqual(rows, []);
  const { rows: others } = await pool.query("select 'usage_1' < '~' as bound, 'usage_1' collate \"C\" < '~' as bytes");
  assert.deepEqual(others, [{ bound: false, bytes: true }], 'the server of tests must order otherwise');
});

test('many who open an empty database at once make its schema once', WITH_POSTGRES, async (t) => {
  const url = await emptyDatabase(t);
  const pools = await Promise.all(Array.from({ length: 5 }, () => openDatabase({ url, connections: 1 })));
  t.after(() => Promise.all(pools.map((pool) => pool.close())));
  const { rows } = await pools[0]!.query('select version from headgate.schema_state');
  assert.deepEqual(rows, [{ version: BigInt(SCHEMA_VERSION) }]);
});

test('a database of a newer version is refused, and what cannot be reached is told', WITH_POSTGRES, async (t) => {
  const url = await emptyDatabase(t);
  const pool = await openDatabase({ url });
  t.after(() => pool.close());
  await pool.query('update headgate.schema_state set version = version + 1');
  await assert.rejects(openDatabase({ url }), {
    name: 'StorageOpenError',
    message:
      /cannot be used: it was written by a newer headgate \(schema 2, and this one knows 1\): start that version/,
  });
  await assert.rejects(openDatabase({ url: 'postgres://someone:secret@127.0.0.1:1/none' }), (error: Error) => {
    assert.match(error.message, /cannot be used: it cannot be reached \(.*ECONNREFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('columns of tokens and sums that a database lacks are made', WITH_POSTGRES, async (t) => {
  const url = await emptyDatabase(t);
  const pool = await openDatabase({ url });
  t.after(() => pool.close());
  await pool.query('alter table headgate.calls drop column audio_input_tokens');
  await pool.query('alter table headgate.usage_days drop column retried');
  await (await openDatabase({ url })).close();
  await pool.query('select audio_input_tokens from headgate.calls');
  await pool.query('select retried from headgate.usage_days');
});

test('batches with numbers that this cluster has not given are forgotten', WITH_POSTGRES, async (t) => {
  const url = await emptyDatabase(t);
  const pool = await openDatabase({ url });
  t.after(() => pool.close());
  const insert = 'insert into headgate.settled_batches (number, organization_id, call_ids)';
  await pool.query(`${insert} select pg_current_xact_id()::text::bigint, 'org_1', 'usage_new'`);
  await pool.query(`${insert} values (1000000000000, 'org_1', 'usage_of_another_cluster')`);
  await (await openDatabase({ url })).close();
  const { rows } = await pool.query('select call_ids from headgate.settled_batches');
  assert.deepEqual(rows, [{ call_ids: 'usage_new' }]);
});

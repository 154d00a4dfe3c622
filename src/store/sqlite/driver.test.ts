import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import { sqliteDialect } from './driver.ts';

type Schema = { amounts: { id: number; amount: bigint | null } };

test('rows come back, with integers that no double could hold', async (t) => {
  const db = openTestDatabase(t);
  const inserted = await db.insertInto('amounts').values({ id: 1, amount: 9_007_199_254_740_993n }).executeTakeFirst();
  assert.equal(inserted.numInsertedOrUpdatedRows, 1n);
  await db.insertInto('amounts').values({ id: 2, amount: null }).execute();
  const rows = await db.selectFrom('amounts').select('amount').orderBy('id').execute();
  assert.deepEqual(
    rows.map((row) => row.amount),
    [9_007_199_254_740_993n, null],
  );
});

test('a change tells how many rows it changed, or returns them', async (t) => {
  const db = openTestDatabase(t);
  await db
    .insertInto('amounts')
    .values([
      { id: 1, amount: 1n },
      { id: 2, amount: 2n },
    ])
    .execute();
  const raised = await db.updateTable('amounts').set({ amount: 5n }).returning('id').where('amount', '<', 2n).execute();
  assert.equal(raised.length, 1);
  const deleted = await db.deleteFrom('amounts').executeTakeFirst();
  assert.equal(deleted.numDeletedRows, 2n);
});

test('rows can be streamed', async (t) => {
  const db = openTestDatabase(t);
  await db.insertInto('amounts').values({ id: 1, amount: 1n }).execute();
  const seen = [];
  for await (const row of db.selectFrom('amounts').select('amount').stream()) seen.push(row.amount);
  assert.deepEqual(seen, [1n]);
});

test('a failure is a 503 with its cause', async (t) => {
  const db = openTestDatabase(t);
  await db.insertInto('amounts').values({ id: 1, amount: 1n }).execute();
  const again = db.insertInto('amounts').values({ id: 1, amount: 1n }).execute();
  await assert.rejects(again, (error: Error) => {
    assert.equal('kind' in error && error.kind, 'storage_unavailable');
    assert.match(String(error.cause), /UNIQUE constraint failed/);
    return true;
  });
});

test('a transaction over several turns is refused', async (t) => {
  const db = openTestDatabase(t);
  await assert.rejects(
    db.transaction().execute(async () => {}),
    /within one turn/,
  );
});

function openTestDatabase(t: TestContext): Kysely<Schema> {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  database.exec('create table amounts (id integer primary key, amount integer) strict');
  return new Kysely<Schema>({ dialect: sqliteDialect(database, 1_000) });
}

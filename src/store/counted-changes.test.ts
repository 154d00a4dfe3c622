import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { counterOf } from './counted-changes.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';

const database = new DatabaseSync(':memory:');
migrate(database);
const db = new Kysely<Schema>({ dialect: sqliteDialect(database, 0) });
const counted = (name: string) => database.prepare('select value from counters where name = ?').get(name)?.value;

test('changes of what processes share are counted, by whatever statement, and only if a row changes', async () => {
  const route = { id: 'acme/fast', definition: '{}', origin: 'store', updated_at: 1, canary: null } as const;
  const steps: readonly [statement: { execute(): Promise<unknown> }, counter: string, by: number][] = [
    [db.insertInto('organizations').values({ id: 'org_1', name: 'First', created_at: 1 }), 'changes', 1],
    [db.updateTable('organizations').set({ name: 'One' }).where('id', '=', 'org_1'), 'changes', 1],
    [db.updateTable('organizations').set({ name: 'One' }).where('id', '=', 'org_2'), 'changes', 0],
    [db.updateTable('organizations').set({ name: 'Two' }).where('id', '=', 'org_1').returning('id'), 'changes', 1],
    [db.insertInto('routes').values(route), 'route_changes', 1],
    [db.deleteFrom('routes').where('id', '=', 'acme/fast'), 'route_changes', 1],
    [db.insertInto('key_use').values({ key_id: 'key_1', last_used_at: 1 }), 'changes', 0],
  ];
  for (const [statement, counter, by] of steps) {
    const before = Number(counted(counter));
    await statement.execute();
    assert.equal(Number(counted(counter)) - before, by);
  }
});

test('the end of a session is counted, and not its use', () => {
  assert.equal(counterOf(db.deleteFrom('sessions').compile()), 'changes');
  assert.equal(counterOf(db.updateTable('sessions').set({ seen_at: 1 }).compile()), null);
});

test('a raw statement that writes is refused, since nobody could tell its table', async () => {
  for (const write of [
    sql`delete from settings`,
    sql`with gone as (select 1 as id) delete from ${sql.table('settings')}`,
    sql`with one as (select 1) ${sql`update organizations set name = 'x'`}`,
    sql`with one as (select 1) insert into settings select * from settings`,
    sql`with one as (select 1) replace into settings select * from settings`,
  ]) {
    await assert.rejects(
      write.execute(db),
      ({ cause }: Error) => cause instanceof Error && /only read/.test(cause.message),
    );
  }
  const read = sql`with one as (select 'delete' as "update") select replace(id, 'update', ''), created_at from organizations`;
  assert.equal((await read.execute(db)).rows.length, 1);
});

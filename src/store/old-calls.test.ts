import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Storage } from '../core/ports.ts';
import type { Intent, UsageQuery } from '../core/records.ts';
import { settleAll } from './contract.test.ts';
import { intentAt, NOON, temporaryFolder } from './fixtures.test.ts';
import { MIGRATIONS } from './sqlite/migrate.ts';
import { callGroups } from './sqlite/migrations/0008-call-groups.ts';
import { openStorage } from './storage.ts';

const OLD = 1_300;
const PLAIN: UsageQuery = { organizationId: 'org_1', limit: 10_000 };

test('calls of a version without groups are in lists with filters, before they are grouped, meanwhile and after', async (t) => {
  const folder = temporaryFolder(t);
  const calls = await fillAsBefore(t, folder);
  const storage = await open(t, folder);
  const fresh = Array.from({ length: 5 }, (_, index) => call(OLD + index));
  await settleAll(storage, fresh);
  const all = [...calls, ...fresh];
  await checkLists(storage, all);
  const notices: string[] = [];
  const grouping = await open(t, folder, notices);
  while (notices.length < 2) {
    await checkLists(grouping, all);
    await turn();
  }
  assert.match(notices[0]!, /in the background/);
  assert.match(notices[1]!, /^1300 usage records/);
  await checkLists(storage, all);
  using database = new DatabaseSync(join(folder, 'headgate.db'));
  const count = (table: string) => Number(database.prepare(`select count(*) as count from ${table}`).get()?.count);
  assert.deepEqual([count('ungrouped_calls'), count('grouped_calls')], [0, OLD + 5]);
});

test('grouping that was cut short goes on where it was', async (t) => {
  const folder = temporaryFolder(t);
  const calls = await fillAsBefore(t, folder);
  const first = await open(t, folder, []);
  using database = new DatabaseSync(join(folder, 'headgate.db'));
  const rows = () => Number(database.prepare('select count(*) as count from grouped_calls').get()?.count);
  while (rows() === 0) await turn();
  await first.close();
  assert.ok(rows() < OLD, 'the first has grouped all');
  const notices: string[] = [];
  const second = await open(t, folder, notices);
  while (notices.length < 2) await turn();
  assert.equal(rows(), OLD);
  await checkLists(second, calls);
});

test('calls of a version without sums by day are added up in the background, each once, and a summary says until when not all are', async (t) => {
  const folder = temporaryFolder(t);
  await fillAsBefore(t, folder);
  const notices: string[] = [];
  const storage = await open(t, folder, notices);
  const summarize = () =>
    storage.usage.summarize({
      organizationId: 'org_1',
      by: ['model', 'product'],
      from: NOON,
      through: NOON,
      hidesTargets: false,
      limit: 10,
    });
  assert.equal((await summarize()).isComplete, false);
  // What is settled, and what is deleted, meanwhile.
  await settleAll(storage, [call(OLD), call(OLD + 1)]);
  assert.equal(await storage.purge(NOON + 100), 100);
  while (notices.length < 4) await turn();
  assert.match(notices[3]!, /^\d+ usage records of an earlier version are ready for summaries/);
  const { isComplete, totals, rows } = await summarize();
  const left = OLD + 2 - 100;
  const { calls, cost, inputTokens } = totals.sums;
  assert.deepEqual([isComplete, calls, cost, inputTokens], [true, left, BigInt(left) * 240_000n, left * 1_200]);
  assert.deepEqual(
    rows.map(({ values, sums }) => [values.model, values.product, sums.calls]),
    [
      ['small', null, left / 2],
      ['large', null, left / 2 - 12],
      ['large', 'rare', 12],
    ],
  );
});

/** The database as the last version without groups left it. */
async function fillAsBefore(t: TestContext, folder: string): Promise<Intent[]> {
  const storage = await open(t, folder);
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  const calls = Array.from({ length: OLD }, (_, number) => call(number));
  await settleAll(storage, calls);
  await storage.close();
  using database = new DatabaseSync(join(folder, 'headgate.db'));
  undoMigrations(database, MIGRATIONS.indexOf(callGroups));
  return calls;
}

/** Takes out of a database all that migrations from one on have made; what they had removed is there again, empty. */
function undoMigrations(database: DatabaseSync, from: number): void {
  using before = new DatabaseSync(':memory:');
  for (const migration of MIGRATIONS.slice(0, from)) before.exec(migration);
  const [kept, now] = [before, database].map(madeIn) as [Made[], Made[]];
  const known = new Set(kept.map(({ name }) => name));
  // Triggers and indexes go first: they hold on to columns.
  for (const kind of ['trigger', 'index', 'table']) {
    for (const { type, name } of now) if (type === kind && !known.has(name)) database.exec(`drop ${kind} ${name}`);
  }
  for (const { type, name, sql } of kept) {
    if (!now.some((each) => each.name === name)) database.exec(sql);
    else if (type === 'table') dropNewColumns(database, before, name);
  }
  database.exec(`delete from counters where name = 'removed_groups'; pragma user_version = ${from}`);
}

type Made = { type: string; name: string; sql: string };

function madeIn(database: DatabaseSync): Made[] {
  const all = 'select type, name, sql from sqlite_master where sql is not null order by rowid';
  return database.prepare(all).all() as Made[];
}

function dropNewColumns(database: DatabaseSync, before: DatabaseSync, table: string): void {
  const columnsIn = (each: DatabaseSync) =>
    each
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
  const kept = columnsIn(before);
  for (const column of columnsIn(database)) {
    if (!kept.includes(column)) database.exec(`alter table ${table} drop column ${column}`);
  }
}

function call(number: number): Intent {
  const model = number % 2 === 0 ? 'small' : 'large';
  return intentAt(NOON + number, number, {
    model,
    requestedModel: model,
    ...(number % 100 === 7 && { source: 'product', product: 'rare' }),
  });
}

async function checkLists(storage: Storage, calls: readonly Intent[]): Promise<void> {
  for (const [query, isAskedFor] of [
    [{ model: 'large' }, ({ model }: Intent) => model === 'large'],
    [{ product: 'rare' }, ({ product }: Intent) => product === 'rare'],
    [{ product: 'rare', model: 'small' }, () => false],
    [{ status: 'succeeded' }, () => true],
    [{ status: 'failed' }, () => false],
  ] as const) {
    const page = await storage.usage.list({ ...PLAIN, ...query });
    const expected = calls.filter(isAskedFor).map(({ id }) => id);
    assert.deepEqual(
      page?.records.map(({ id }) => id),
      expected.toReversed(),
      JSON.stringify(query),
    );
  }
}

/** Notices make it group what is old. */
async function open(t: TestContext, folder: string, notices?: string[]): Promise<Storage> {
  const storage = await openStorage({
    folder,
    instanceId: `instance_${Math.random().toString(36).slice(2)}`,
    durability: 'normal',
    preparesOldCalls: notices !== undefined,
    onNotice: (words) => notices?.push(words),
  });
  t.after(() => storage.close());
  return storage;
}

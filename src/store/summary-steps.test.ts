import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { allBuckets, BUCKET_ROWS_PER_PART } from '../core/usage-buckets.ts';
import type { SummaryQuery } from '../core/usage-summary.ts';
import { DAY_MS, utcDayNumber } from '../core/utc-day.ts';
import { NOON, watchStatements } from './fixtures.test.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';
import { SHAPES } from './sqlite/usage-days.ts';
import { createUsageReader } from './sqlite/usage-reader.ts';

/** Each calls once a day. */
const KEYS = 4_500;
const DAYS = 3;
/** As many as one step of a summary reads. */
const SUMS_PER_STEP = 1_000;

test('a summary of very many keys reads a thousand sums a step, and others have their turn behind each', async () => {
  const { summarize, run } = reader();
  for (const by of [['key'], ['key', 'day']] as const) {
    run.length = 0;
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    const { totals, rows, rest } = await summarize({ by });
    clearInterval(others);
    assert.deepEqual([totals.sums.calls, totals.previous.calls], [KEYS * DAYS, 0]);
    assert.equal(rows.length + rest!.rows, by.length === 1 ? KEYS : KEYS * DAYS);
    assert.ok(run.every((statement) => statement.rows <= SUMS_PER_STEP));
    assert.ok(turns > 0);
    assert.ok(run.filter(({ sql }) => sql.includes('usage_days where')).length > DAYS);
  }
});

test('a summary of one key, or of a project’s, reads the sums of these alone', async () => {
  const { summarize, run } = reader();
  for (const [only, keys] of [
    [{ keyId: 'key_7' }, 1],
    [{ projectId: 'proj_1' }, 10],
  ] as const) {
    run.length = 0;
    const { totals } = await summarize({ by: ['day'], ...only });
    assert.equal(totals.sums.calls, keys * DAYS);
    const read = run.filter(({ sql }) => sql.includes('usage_days'));
    assert.equal(
      read.reduce((sum, { rows }) => sum + rows, 0),
      keys * DAYS,
    );
  }
});

test('buckets read no period before theirs', async () => {
  const { buckets, run } = reader();
  const from = utcDayNumber(NOON) * DAY_MS;
  const asked = { organizationId: 'org_1', of: 'all', by: ['key'], only: {}, hidesTargets: false } as const;
  const rows = await allBuckets({ buckets }, { ...asked, from, until: from + DAY_MS, widthMs: DAY_MS });
  assert.equal(rows.length, KEYS);
  const days = run.filter(({ sql }) => sql.includes('usage_days')).map(({ values }) => Number(values[1]));
  assert.deepEqual([...new Set(days)], [utcDayNumber(NOON)]);
});

test('buckets come in small parts, and others have their turn behind each', async () => {
  const { buckets } = reader();
  const from = utcDayNumber(NOON) * DAY_MS;
  const asked = { organizationId: 'org_1', of: 'all', by: ['key'], only: {}, hidesTargets: false } as const;
  let [parts, rows, turns] = [0, 0, 0];
  for await (const part of buckets({ ...asked, from, until: from + DAY_MS, widthMs: DAY_MS })) {
    assert.ok(part.length <= BUCKET_ROWS_PER_PART);
    parts += 1;
    rows += part.length;
    setImmediate(() => (turns += 1));
  }
  assert.deepEqual([rows, parts, turns], [KEYS, KEYS / BUCKET_ROWS_PER_PART, KEYS / BUCKET_ROWS_PER_PART]);
});

/** Usage of the last three days before noon, of keys each of which is in a group of its own; the first ten are of `proj_1`. */
function reader() {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const group = database.prepare(
    `insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest)
     values (?, 'org_1', ${SHAPES.caller}, ?, 'api_key', '', '', '', '', '', 0)`,
  );
  const day = database.prepare(
    `insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens,
       output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost)
     values ('org_1', ${SHAPES.caller}, ?, ?, 1, 0, 0, 10, 0, 5, 1000, 0, 1000, 0)`,
  );
  const key = database.prepare(
    `insert into api_keys (id, organization_id, name, source, hint, hash, created_at, usage_scope, access, scopes, version, project_id)
     values (?, 'org_1', 'key', 'api_key', '', ?, 1, 'own', 'models', '[]', 1, 'proj_1')`,
  );
  database.exec("begin; insert into organizations (id, name, created_at) values ('org_1', 'First', 1)");
  for (let number = 1; number <= KEYS; number += 1) {
    group.run(number, `key_${number}`);
    for (let ago = 0; ago < DAYS; ago += 1) day.run(utcDayNumber(NOON) - ago, number);
    if (number <= 10) key.run(`key_${number}`, new Uint8Array([number]));
  }
  database.exec('commit');
  const { watched, run } = watchStatements(database);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, 0) });
  const usage = createUsageReader({ db, database: watched, catchUp: async () => {}, reportMs: null });
  const summarize = (query: Pick<SummaryQuery, 'by'> & Partial<SummaryQuery>) =>
    usage.summarize({
      organizationId: 'org_1',
      from: NOON - (DAYS - 1) * DAY_MS,
      through: NOON,
      hidesTargets: false,
      limit: 100,
      ...query,
    });
  return { summarize, buckets: usage.buckets, run };
}

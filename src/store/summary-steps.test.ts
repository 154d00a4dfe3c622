import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { allBuckets, REPORT_ROWS_PER_PART } from '../core/usage-buckets.ts';
import type { SummaryQuery } from '../core/usage-summary.ts';
import { DAY_MS, utcDay, utcDayNumber } from '../core/utc-day.ts';
import { NOON, watchStatements } from './fixtures.test.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';
import { createReading } from './sqlite/reading.ts';
import { SHAPES } from './usage-groups.ts';
import { createUsageReader } from './usage-reader.ts';

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

test('the first keys by day are told of more rows than a summary may have, exactly and in small steps', async () => {
  const days = 14;
  const { summarize, run } = reader(days);
  const first = Array.from({ length: KEYS }, (_, key) => key + 1)
    .map((key) => {
      const each = Array.from({ length: days }, (_, ago) => costOf(key, utcDayNumber(NOON) - ago));
      return { key, cost: each.reduce((sum, cost) => sum + cost, 0n) };
    })
    .sort((one, other) => (other.cost > one.cost ? 1 : -1))
    .slice(0, 10)
    .map(({ key }) => key);
  const asked = { by: ['day', 'key'], from: NOON - (days - 1) * DAY_MS, limit: 4_000 } as const;
  await assert.rejects(summarize(asked), { kind: 'invalid_request', param: 'by' });
  run.length = 0;
  const { rows, totals, rest } = await summarize({ ...asked, top: 10 });
  assert.ok(run.every((statement) => statement.rows <= SUMS_PER_STEP));
  assert.deepEqual([rows.length, rest, totals.sums.calls], [11 * days, null, KEYS * days]);
  for (let day = utcDayNumber(NOON); day > utcDayNumber(NOON) - days; day -= 1) {
    const ofDay = rows.filter(({ values }) => values.day === utcDay(day * DAY_MS));
    const costs = new Map(ofDay.map(({ values, sums }) => [values.key, sums.cost]));
    for (const key of first) assert.equal(costs.get(`key_${key}`), costOf(key, day));
    const others = ofDay.filter(({ restOf }) => restOf === KEYS - 10);
    let sum = 0n;
    for (let key = 1; key <= KEYS; key += 1) if (!first.includes(key)) sum += costOf(key, day);
    assert.deepEqual(
      others.map(({ sums }) => [sums.calls, sums.cost]),
      [[KEYS - 10, sum]],
    );
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
    assert.ok(part.length <= REPORT_ROWS_PER_PART);
    parts += 1;
    rows += part.length;
    setImmediate(() => (turns += 1));
  }
  assert.deepEqual([rows, parts, turns], [KEYS, KEYS / REPORT_ROWS_PER_PART, KEYS / REPORT_ROWS_PER_PART]);
});

/** What a key's call of a day (from 1970 on) costs. */
function costOf(key: number, day: number): bigint {
  return BigInt(((key * 7_919) % 4_507) * 1_000 + ((key + day) % 11));
}

/** Usage of the last days before noon, of keys each of which is in a group of its own; the first ten are of `proj_1`. */
function reader(days = DAYS) {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const group = database.prepare(
    `insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest)
     values (?, 'org_1', ?, ?, 'api_key', '', '', '', '', '', 0)`,
  );
  const day = database.prepare(
    `insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens,
       output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost)
     values ('org_1', ?1, ?2, ?3, ?4, 0, 0, 10 * ?4, 0, 5 * ?4, ?5, 0, ?5, 0)`,
  );
  const key = database.prepare(
    `insert into api_keys (id, organization_id, name, source, hint, hash, created_at, usage_scope, access, scopes, version, project_id)
     values (?, 'org_1', 'key', 'api_key', '', ?, 1, 'own', 'models', '[]', 1, 'proj_1')`,
  );
  const whole = new Map<number, bigint>();
  database.exec("begin; insert into organizations (id, name, created_at) values ('org_1', 'First', 1)");
  for (let number = 1; number <= KEYS; number += 1) {
    group.run(number, SHAPES.caller, `key_${number}`);
    for (let ago = 0; ago < days; ago += 1) {
      const at = utcDayNumber(NOON) - ago;
      day.run(SHAPES.caller, at, number, 1, costOf(number, at));
      whole.set(at, (whole.get(at) ?? 0n) + costOf(number, at));
    }
    if (number <= 10) key.run(`key_${number}`, new Uint8Array([number]));
  }
  group.run(KEYS + 1, SHAPES.tool, '');
  for (const [at, cost] of whole) day.run(SHAPES.tool, at, KEYS + 1, KEYS, cost);
  database.exec('commit');
  const { watched, run } = watchStatements(database);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, 0) });
  const usage = createUsageReader({ db, reading: createReading(watched), catchUp: async () => {}, reportMs: null });
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

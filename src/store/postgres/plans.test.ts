import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AttemptRecord, Intent } from '../../core/records.ts';
import { attempt, intentAt, NOON, settlement, temporaryFolder } from '../fixtures.test.ts';
import { listJournals } from '../journal/files.ts';
import { FileJournal } from '../journal/journal.ts';
import { writeIntent, writeSettlement } from '../journal/record-json.ts';
import { createUsageReader } from '../usage-reader.ts';
import { temporaryPool, WITH_POSTGRES } from './database.test.ts';
import { kyselyOver } from './driver.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { createPurge } from './purge.ts';
import { createReading } from './reading.ts';
import { createTakeOver } from './take-over.ts';

/** So many that to read a table whole costs more than to find a few rows by a key. */
const CALLS = 4_000;
/** Tables with a row for each call, and the sums that grow with days. */
const LARGE = ['calls', 'grouped_calls', 'earlier_attempts', 'decisions', 'feedback'];

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };
type Ran = { text: string; values: readonly unknown[] };

test('a batch that is taken over finds calls by their keys, without statistics, too', WITH_POSTGRES, async (t) => {
  const { pool, run, takeOver, append, read } = await rig(t);
  const open = Array.from({ length: 40 }, (_, number) => intentAt(NOON + CALLS + number, CALLS + number));
  append(open.map((call) => writeIntent(call, null)));
  await read();
  run.length = 0;
  append(open.slice(0, 20).map((call) => writeSettlement(settlement(call), null)));
  await read();
  await takeOver.settle(
    open.slice(20).map((call) => settlement(call)),
    'instance_1',
  );
  assert.ok(run.some(({ text }) => text.startsWith('update headgate.calls')));
  assert.deepEqual(await wholeReads(pool, run), []);
});

test('pages of usage, and a retention step, find calls by their keys', WITH_POSTGRES, async (t) => {
  const { pool, watched, run } = await rig(t);
  const usage = createUsageReader({
    db: kyselyOver(watched),
    reading: createReading(watched),
    catchUp: async () => undefined,
    reportMs: null,
  });
  run.length = 0;
  const page = { organizationId: 'org_1', limit: 20 };
  const newest = await usage.list(page);
  const after = newest!.records.at(-1)!.id;
  assert.equal((await usage.list({ ...page, after }))!.records.length, 20);
  assert.equal((await usage.list({ ...page, keyId: 'key_3' }))!.records.length, 20);
  assert.deepEqual(await wholeReads(pool, run), []);
  run.length = 0;
  assert.equal(await createPurge(watched)(NOON + 10), 10);
  assert.deepEqual(await wholeReads(pool, run), []);
});

/** The statements of these that read a large table whole, by their plans. */
async function wholeReads(pool: PostgresPool, ran: readonly Ran[]): Promise<string[]> {
  const whole: string[] = [];
  for (const { text, values } of ran) {
    if (!/headgate"?\."?/.test(text)) continue;
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (format json) ${text}`, values);
    const [{ Plan: plan }] = JSON.parse(rows[0]!['QUERY PLAN']) as [{ Plan: Plan }];
    for (const table of scanned(plan)) if (LARGE.includes(table)) whole.push(`${table}: ${text}`);
  }
  return whole;
}

function scanned(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name']!] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scanned)];
}

function failedOf(call: Intent): AttemptRecord {
  return attempt(call, { status: 'failed', errorKind: 'upstream_error' });
}

/** Tables with calls of 20 keys, and all statements that are run on them from now on. */
async function rig(t: TestContext) {
  const folder = temporaryFolder(t);
  const pool = await temporaryPool(t);
  await pool.query("insert into headgate.organizations values ('org_1', 'First', 1)");
  const run: Ran[] = [];
  const watch =
    (query: RunQuery): RunQuery =>
    (text, values = []) => {
      run.push({ text, values });
      return query(text, values);
    };
  const watched: PostgresPool = {
    ...pool,
    query: watch(pool.query),
    transaction: (isolation, work) => pool.transaction(isolation, (query) => work(watch(query))),
  };
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: false });
  const takeOver = createTakeOver(watched, folder, { onRefused: (error) => assert.fail(error) });
  const append = (records: readonly string[]) => journal.append(records);
  const read = async () => {
    for (const name of listJournals(folder)) while (await takeOver.read(name));
  };
  for (let from = 0; from < CALLS; from += 100) {
    const calls = Array.from({ length: 100 }, (_, at) =>
      intentAt(NOON + from + at, from + at, { keyId: `key_${at % 20}` }),
    );
    append([
      ...calls.map((call) => writeIntent(call, null)),
      ...calls.map((call) => writeSettlement(settlement(call, { attempts: [failedOf(call), attempt(call)] }), null)),
    ]);
  }
  await read();
  return { pool, watched, run, takeOver, append, read };
}

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { settleAll } from './contract.test.ts';
import { intentAt, NOON, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';
import { ReportTime } from './report-time.ts';
import { openTables } from './sqlite/tables.ts';

const CALLS = 2_500;
/** No step is so short: a report may do one, and no more. */
const ONE_STEP = Number.MIN_VALUE;

test('a report that finds nothing in its time is refused, and says what to narrow', async (t) => {
  const { usage } = await open(t, ONE_STEP);
  const query = { organizationId: 'org_1', limit: 10 };
  // Ids tell the times of these calls; when they were made, their clock had been set back.
  const refused = { kind: 'invalid_request', status: 400 };
  await assert.rejects(usage.list({ ...query, from: NOON - 1, until: NOON + 30_000 }), {
    ...refused,
    param: 'end_time',
    message: /Bring `start_time` and `end_time` closer together/,
  });
  await assert.rejects(usage.list({ ...query, until: NOON + 30_000 }), { ...refused, param: 'start_time' });
  await assert.rejects(usage.list({ ...query, model: 'small', until: NOON + 30_000 }), refused);
});

test('a report that finds something in its time tells it, and that there is more', async (t) => {
  const { usage } = await open(t, ONE_STEP);
  const page = await usage.list({ organizationId: 'org_1', limit: 2_000, from: NOON });
  assert.deepEqual([page?.records.length, page?.hasMore], [1_000, true]);
});

test('a request that is not found in its time is asked for by its record', async (t) => {
  const { calls } = await open(t, ONE_STEP);
  await assert.rejects(calls.find('org_1', 'req_9999'), { kind: 'invalid_request', param: 'id' });
  assert.equal((await calls.find('org_1', 'req_3'))?.record.requestId, 'req_3');
});

test('without a bound all is looked through', async (t) => {
  const { usage, calls } = await open(t, null);
  assert.deepEqual(await usage.list({ organizationId: 'org_1', limit: 10, until: NOON + 30_000 }), {
    records: [],
    keyNames: {},
    hasMore: false,
  });
  assert.equal(await calls.find('org_1', 'req_9999'), null);
});

test('what a report waits for a processor does not count', async () => {
  const time = new ReportTime(20);
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  await time.step(() => Atomics.wait(nothing, 0, 0, 100));
  assert.equal(time.isOver, false);
});

async function open(t: TestContext, reportMs: number | null) {
  const folder = temporaryFolder(t);
  const storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  const made = Array.from({ length: CALLS }, (_, number) => {
    const call = intentAt(NOON + 10 * number, number);
    return { ...call, createdAt: call.createdAt + 60_000 };
  });
  await settleAll(storage, made);
  await storage.close();
  const tables = await openTables(
    {
      folder,
      instanceId: 'instance_2',
      durability: 'normal',
      lockWaitMs: 1_000,
      reportMs,
      acknowledged: () => null,
    },
    () => undefined,
  );
  t.after(() => tables.close());
  return tables;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures.test.ts';
import type { SummedUsage } from '../sum-columns.ts';
import type { SummedCall } from '../usage-groups.ts';
import { openDatabase } from './open.ts';
import { UsageDays } from './usage-days.ts';

const CALL: SummedCall = {
  id: 'usage_1',
  organizationId: 'org_1',
  keyId: 'key_1',
  source: 'api_key',
  product: 'search',
  tool: 'agent',
  model: 'small',
  requestedModel: 'small',
  route: 'fast',
  provider: 'lab',
  createdAt: 1_795_262_400_000,
};
const USAGE: SummedUsage = {
  status: 'succeeded',
  usage: { inputTokens: 1, cacheReadTokens: 0, outputTokens: 1 },
  usageSource: 'provider',
  cost: 1n,
  vendorCost: 1n,
  timeToFirstTokenMs: null,
  attempts: 1,
};

/** A call that differs from `CALL` in one thing, and which table tells both apart: by day, by group, or each of them. */
const OTHERS: readonly [Partial<SummedCall & SummedUsage>, days: 1 | 2, groups: 1 | 2][] = [
  [{ organizationId: 'org_2' }, 2, 2],
  [{ keyId: 'key_2' }, 2, 2],
  [{ source: 'developer_tool' }, 2, 2],
  [{ product: 'chat' }, 2, 2],
  [{ product: null }, 2, 2],
  [{ tool: 'editor' }, 2, 2],
  [{ tool: null }, 2, 2],
  [{ model: 'large' }, 2, 2],
  [{ requestedModel: 'smallest' }, 1, 2],
  [{ route: 'cheap' }, 2, 1],
  [{ route: null }, 2, 1],
  [{ provider: 'other' }, 2, 1],
  [{ createdAt: CALL.createdAt + 86_400_000 }, 2, 1],
  [{ status: 'failed' }, 1, 2],
];

for (const [different, days, groups] of OTHERS) {
  test(`two calls that differ in ${JSON.stringify(different)} are told apart, in whatever order they come`, async (t) => {
    using database = await openDatabase(temporaryFolder(t), 'normal', 0);
    const usageDays = new UsageDays(database);
    const other = { ...CALL, ...USAGE, ...different };
    usageDays.begin();
    usageDays.add(CALL, USAGE);
    usageDays.add({ ...CALL, ...different, id: 'usage_2' }, other);
    usageDays.add({ ...CALL, id: 'usage_3' }, USAGE);
    usageDays.finish();
    const listOf = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map(({ calls }) => Number(calls));
    const counted = listOf('select calls from usage_days where shape = 0 order by calls');
    assert.deepEqual(counted, days === 2 ? [1, 2] : [3]);
    const grouped = listOf('select count(*) as calls from grouped_calls group by group_number order by calls');
    assert.deepEqual(grouped, groups === 2 ? [1, 2] : [3]);
  });
}

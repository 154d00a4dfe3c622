import assert from 'node:assert/strict';
import type { Storage } from '../core/ports.ts';
import type { Intent, Settlement, UsageRecord } from '../core/records.ts';
import { allBuckets, type BucketDimension, type BucketQuery } from '../core/usage-buckets.ts';
import { storageContract } from './contract.test.ts';
import { intentAt, key, NOON, routed, settlement } from './fixtures.test.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Math.floor(NOON / DAY) * DAY - 5 * DAY;
const QUERY: BucketQuery = {
  organizationId: 'org_1',
  of: 'all',
  by: [],
  from: FIRST,
  until: FIRST + 6 * DAY,
  widthMs: DAY,
  only: {},
  hidesTargets: false,
};

storageContract('buckets of usage', (contract) => {
  contract('are what a recount of the records comes to, from sums by day and from calls', async (storage) => {
    const records = await settleSome(storage, 1_200);
    const asked: BucketDimension[][] = [
      [],
      ['project'],
      ['user'],
      ['key', 'model'],
      ['project', 'provider', 'route'],
      ['source', 'product'],
      ['tier'],
      ['project', 'model', 'requested_model'],
    ];
    for (const by of asked) {
      await recount(storage, records, { ...QUERY, by });
      await recount(storage, records, { ...QUERY, by, of: 'completions' });
      await recount(storage, records, { ...QUERY, by, of: 'embeddings', widthMs: HOUR });
    }
    await recount(storage, records, { ...QUERY, by: ['key', 'provider'], hidesTargets: true });
    await recount(storage, records, { ...QUERY, by: ['provider'], of: 'completions', hidesTargets: true });
    for (const only of [{ project: ['proj_b'] }, { user: ['user_1', 'svc_1'] }, { key: ['key_1'], model: ['small'] }]) {
      await recount(storage, records, { ...QUERY, by: ['model'], only });
      await recount(storage, records, { ...QUERY, by: ['model'], only, of: 'completions' });
    }
  });

  contract('have line items whose sum is the cost', async (storage) => {
    const records = await settleSome(storage, 600);
    const rows = await allBuckets(storage.usage, { ...QUERY, by: ['line_item', 'project'] });
    const cost = records.reduce((sum, record) => sum + (isOf(record, QUERY) ? (record.cost ?? 0n) : 0n), 0n);
    assert.ok(cost > 0n);
    assert.equal(
      rows.reduce((sum, { sums }) => sum + sums.cost, 0n),
      cost,
    );
    const names = new Set(rows.map(({ values }) => values.line_item));
    assert.deepEqual([...names].sort(), [
      'acme/fast, input_tokens',
      'acme/fast, output_tokens',
      'large, input_tokens',
      'large, output_tokens',
      null,
      'small, input_tokens',
      'small, output_tokens',
    ]);
    const only = await allBuckets(storage.usage, { ...QUERY, only: { line_item: ['small, output_tokens'] } });
    assert.ok(only.length > 0 && only.every(({ sums }) => sums.quantity % 100 === 0 && sums.quantity > 0));
  });

  contract('of one organization say nothing of another', async (storage) => {
    await settleSome(storage, 100);
    const query = { ...QUERY, organizationId: 'org_2', only: { key: ['key_1'] } };
    assert.deepEqual(await allBuckets(storage.usage, { ...query, only: { project: ['proj_a'] } }), []);
    const rows = await allBuckets(storage.usage, { ...query, by: ['user'] });
    assert.ok(rows.every(({ values }) => values.user === null));
  });
});

const OWNERS = [
  { project: 'proj_a', user: 'user_1' },
  { project: 'proj_b', user: 'svc_1' },
  { project: 'proj_b', user: null },
];

/** Calls of six days and two organizations, by three keys and one that is in no table; some failed, some without a cost. */
async function settleSome(storage: Storage, count: number): Promise<UsageRecord[]> {
  for (const [index, { project, user }] of OWNERS.entries()) {
    const owner = user === null ? null : { type: index === 0 ? 'user' : 'service_account', id: user };
    const made = key({ id: `key_${index}`, projectId: project, owner: owner as never });
    await storage.keys.create(made, Buffer.alloc(32, index + 1));
  }
  const calls = Array.from({ length: count }, (_, number): [Intent, Settlement] => {
    const isRouted = number % 7 === 0;
    const call = intentAt(FIRST + ((number * 7 * HOUR) % (6 * DAY)) + number, number, {
      organizationId: number % 11 === 0 ? 'org_2' : 'org_1',
      keyId: `key_${number % 4}`,
      ...(number % 5 === 1 && { dialect: 'openai-embeddings' }),
      ...(number % 4 === 2 && { source: 'product', product: 'helpdesk' }),
      model: number % 3 === 0 ? 'small' : 'large',
      requestedModel: ['small', 'large', 'quick'][number % 5] ?? 'lab/small',
      ...(isRouted && { model: 'acme/fast', route: 'acme/fast' }),
      ...(number % 6 === 0 && { price: null }),
    });
    const isFailed = number % 13 === 0;
    const end = settlement(call, {
      ...(isRouted && { routed: routed() }),
      ...(isFailed && { status: 'failed', errorKind: 'upstream_error', usageSource: 'estimated' }),
    });
    return [call, number % 9 === 0 ? { ...end, usage: { ...end.usage, serviceTier: 'priority' } } : end];
  });
  await Promise.all(calls.map(([call]) => storage.ledger.intend(call)));
  await Promise.all(calls.map(([, end]) => storage.ledger.settle(end)));
  return (await storage.usage.list({ organizationId: null, limit: 10_000 }))!.records;
}

function isOf(record: UsageRecord, { organizationId, of, from, until, only }: BucketQuery): boolean {
  const isEmbedding = record.dialect === 'openai-embeddings';
  if (record.organizationId !== organizationId || record.createdAt < from || record.createdAt >= until) return false;
  if (of !== 'all' && isEmbedding !== (of === 'embeddings')) return false;
  return (Object.keys(only) as BucketDimension[]).every((each) => only[each]!.includes(told(record, each) ?? ''));
}

function told(record: UsageRecord, by: BucketDimension, hidesTargets = false): string | null {
  const owner = OWNERS[Number(record.keyId.slice('key_'.length))];
  switch (by) {
    case 'project':
      return owner?.project ?? null;
    case 'user':
      return owner?.user ?? null;
    case 'key':
      return record.keyId;
    case 'requested_model':
      return record.requestedModel;
    case 'tier':
      return record.usage.serviceTier ?? null;
    case 'line_item':
      return null;
    case 'provider':
      return hidesTargets && record.route !== null ? null : record.provider;
    case 'upstream_model':
      return hidesTargets && record.route !== null ? null : record.upstreamModel;
    default:
      return record[by];
  }
}

async function recount({ usage }: Storage, records: readonly UsageRecord[], query: BucketQuery): Promise<void> {
  const expected = new Map<string, [number, number, number, bigint, number]>();
  for (const record of records.filter((each) => isOf(each, query))) {
    const start = Math.floor(record.createdAt / query.widthMs) * query.widthMs;
    const name = JSON.stringify([start, ...query.by.map((each) => told(record, each, query.hidesTargets))]);
    const sums = expected.get(name) ?? [0, 0, 0, 0n, 0];
    sums[0] += 1;
    sums[1] += record.usage.inputTokens;
    sums[2] += record.usage.outputTokens;
    sums[3] += record.cost ?? 0n;
    sums[4] += record.cost === null ? 1 : 0;
    expected.set(name, sums);
  }
  const rows = await allBuckets(usage, query);
  const found = rows.map(({ start, values, sums }) => [
    JSON.stringify([start, ...query.by.map((each) => values[each])]),
    [sums.calls, sums.inputTokens, sums.outputTokens, sums.cost, sums.withoutCost],
  ]);
  assert.ok(expected.size > 0, JSON.stringify(query));
  assert.deepEqual(new Map(found as [string, [number, number, number, bigint, number]][]), expected);
}

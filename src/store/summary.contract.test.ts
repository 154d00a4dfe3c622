import assert from 'node:assert/strict';
import type { Storage } from '../core/ports.ts';
import type { Intent, Settlement, UsageRecord } from '../core/records.ts';
import {
  SUMMARY_DIMENSIONS,
  type SummaryDimension,
  type SummaryQuery,
  type SummaryRow,
  type UsageSums,
} from '../core/usage-summary.ts';
import { storageContract } from './contract.test.ts';
import { countedMs } from './first-tokens.ts';
import { attempt, decision, intentAt, key, NOON, routed, settlement } from './fixtures.test.ts';
import { recoverOthers } from './recover.ts';
import { MAX_KEY_DAY_GROUPS } from './usage-groups.ts';
import { MAX_SUMMARY_DAYS } from './usage-summary.ts';

const DAY = 86_400_000;
const QUERY: SummaryQuery = {
  organizationId: 'org_1',
  by: [],
  from: NOON - 10 * DAY,
  through: NOON,
  hidesTargets: false,
  limit: 10_000,
};

storageContract('summaries', (contract) => {
  contract('are what a recount of the records comes to, by whatever they are asked', async (storage) => {
    await settleSome(storage, 1_500);
    const records = await recordsOf(storage);
    assert.equal(records.length, 1_500);
    const asked: SummaryDimension[][] = [
      [],
      ...SUMMARY_DIMENSIONS.map((each) => [each]),
      ['key', 'model'],
      ['tool', 'route'],
      ['day', 'provider', 'product'],
      [...SUMMARY_DIMENSIONS],
    ];
    for (const by of asked) await recount(storage, records, { ...QUERY, by });
    for (const only of [
      { keyId: 'key_2' },
      { model: 'small', tool: 'codex' },
      { source: 'product', product: 'helpdesk' },
      { provider: 'spare' },
      { route: 'acme/fast' },
    ] as const) {
      await recount(storage, records, { ...QUERY, ...only, by: ['model', 'day'] });
    }
    await recount(storage, records, { ...QUERY, organizationId: null, by: ['key'] });
    await recount(storage, records, { ...QUERY, by: ['provider'], hidesTargets: true });
  });

  contract('follow what is recovered, what is settled late, and what is deleted', async (storage, open) => {
    await settleSome(storage, 400);
    const late = intentAt(NOON - DAY, 900_001, { route: 'acme/fast', model: 'acme/fast' });
    await storage.ledger.intend(late);
    await recount(storage, await recordsOf(storage), { ...QUERY, by: ['route'] });
    await storage.ledger.settle(settlement(late, { routed: routed() }));
    for (const number of [900_002, 900_003]) {
      const price = number === 900_002 ? null : late.price;
      await storage.ledger.intend(intentAt(NOON, number, { price, tool: { name: 'codex', version: null } }));
    }
    const next = await open('instance_2');
    assert.equal(await recoverOthers(next, NOON + 5_000), 2);
    const records = await recordsOf(next);
    assert.equal(records.length, 403);
    await recount(next, records, { ...QUERY, by: ['tool', 'route', 'provider'] });
    const purged = await next.purge(NOON - 5 * DAY);
    const left = await recordsOf(next);
    assert.ok(purged > 50 && left.length === 403 - purged, `${purged} of 403 went`);
    for (const by of [[], ['key'], ['tool'], ['model', 'route'], ['day', 'key', 'model']] as const) {
      await recount(next, left, { ...QUERY, by });
    }
    assert.ok((await next.purge(NOON + DAY)) > 0);
    assert.deepEqual((await next.usage.summarize({ ...QUERY, by: ['key'] })).rows, []);
  });

  contract('tell names apart up to a number a key and day, and the others as one', async (storage) => {
    const invented = Array.from({ length: MAX_KEY_DAY_GROUPS + 100 }, (_, number) =>
      intentAt(NOON + number, number, { model: `${'invented-by-a-caller-'.repeat(2)}${number}`, requestedModel: 'x' }),
    );
    const others = Array.from({ length: 5 }, (_, number) =>
      intentAt(NOON + number, 2_000 + number, { keyId: 'key_2' }),
    );
    await settle(
      storage,
      [...invented, ...others].map((call) => [call, settlement(call)]),
    );
    const { rows, totals } = await storage.usage.summarize({ ...QUERY, by: ['model'] });
    assert.equal(rows.length, MAX_KEY_DAY_GROUPS + 2);
    const sums = (model: string) => rows.find(({ values }) => values.model === model)?.sums;
    assert.deepEqual([sums('other')?.calls, sums('other')?.underOther], [100, 100]);
    assert.deepEqual([sums('small')?.calls, sums('small')?.underOther], [5, 0], 'another key’s names are its own');
    assert.deepEqual([totals.sums.calls, totals.sums.underOther], [MAX_KEY_DAY_GROUPS + 105, 100]);
    const byKey = await storage.usage.summarize({ ...QUERY, by: ['key'] });
    assert.deepEqual(
      byKey.rows.map(({ sums: { calls, cost } }) => [calls, cost]),
      [
        [MAX_KEY_DAY_GROUPS + 100, 240_000n * BigInt(MAX_KEY_DAY_GROUPS + 100)],
        [5, 1_200_000n],
      ],
    );
  });

  contract('tell the dearest first, the rest together, and keys by name', async (storage) => {
    await storage.keys.create(key({ id: 'key_1', name: 'laptop' }), Buffer.alloc(32));
    await settleSome(storage, 300);
    const all = await storage.usage.summarize({ ...QUERY, by: ['key', 'model'] });
    const some = await storage.usage.summarize({ ...QUERY, by: ['key', 'model'], limit: 3 });
    assert.deepEqual(some.rows, all.rows.slice(0, 3));
    assert.equal(some.rest?.rows, all.rows.length - 3);
    const shown = some.rows.reduce((sum, { sums }) => sum + sums.cost, 0n);
    assert.equal(shown + some.rest!.sums.cost, all.totals.sums.cost);
    assert.deepEqual(some.totals, all.totals);
    for (const { values, keyName } of all.rows) assert.equal(keyName, values.key === 'key_1' ? 'laptop' : null);
  });

  contract('tell so many names apart as are asked for, the others together by day, by any measure', async (storage) => {
    await settleSome(storage, 600);
    const all = await storage.usage.summarize({ ...QUERY, by: ['key', 'model'], orderBy: 'calls' });
    const calls = all.rows.map(({ sums }) => sums.calls);
    assert.deepEqual(
      calls,
      calls.toSorted((one, other) => other - one),
    );
    const top = { ...QUERY, orderBy: 'calls', top: 2 } as const;
    const { rows, totals } = await storage.usage.summarize({ ...top, by: ['key', 'model'] });
    assert.deepEqual(
      rows.filter(({ restOf }) => restOf === undefined).map(({ values }) => values),
      [all.rows[0]!.values, all.rows[1]!.values],
    );
    assert.deepEqual(totals, all.totals);
    assert.deepEqual(
      rows.flatMap(({ values, restOf }) => (restOf === undefined ? [] : [[values, restOf]])),
      [[{}, all.rows.length - 2]],
    );
    const byDay = await storage.usage.summarize({ ...top, by: ['day', 'key', 'model'] });
    const days = new Set(byDay.rows.map(({ values }) => values.day));
    for (const day of days) {
      const ofDay = byDay.rows.filter(({ values }) => values.day === day);
      const whole = await storage.usage.summarize({ ...QUERY, by: ['day'] });
      const sum = ofDay.reduce((so, { sums }) => so + sums.cost, 0n);
      assert.equal(sum, whole.rows.find(({ values }) => values.day === day)?.sums.cost, String(day));
      assert.ok(ofDay.length <= 3, `${ofDay.length} rows of ${day}`);
    }
  });

  contract(
    'by day, of so many names, are what the whole comes to when the others are put together',
    async (storage) => {
      await settleSome(storage, 1_200);
      const invented = Array.from({ length: MAX_KEY_DAY_GROUPS + 40 }, (_, number) =>
        intentAt(NOON + number, 9_000 + number, { model: `invented-${number}`, requestedModel: 'x', keyId: 'key_9' }),
      );
      await settle(
        storage,
        invented.map((call) => [call, settlement(call)]),
      );
      const asked: (Partial<SummaryQuery> & Pick<SummaryQuery, 'by'>)[] = [
        ...SUMMARY_DIMENSIONS.flatMap((each) => (each === 'day' ? [] : [{ by: ['day', each] as const }])),
        { by: ['day'] },
        { by: ['day', 'key', 'model'] },
        { by: ['route', 'day', 'provider'], hidesTargets: true },
        { by: ['day', 'model'], source: 'product' },
        { by: ['day', 'key'], model: 'large' },
        { by: ['day', 'product'], keyId: 'key_3' },
        { by: ['day', 'key'], organizationId: null, isCompared: false },
      ];
      for (const each of asked) {
        for (const top of [1, 2, 1_000]) {
          const { rows, totals, rest } = await storage.usage.summarize({ ...QUERY, ...each, top });
          const whole = await storage.usage.summarize({ ...QUERY, ...each });
          assert.deepEqual(byName(rows), byName(othersTogether(whole.rows, { ...QUERY, ...each, top })));
          assert.deepEqual([totals, rest], [whole.totals, null]);
        }
      }
    },
  );

  contract('of first tokens are what a recount comes to, also when calls are deleted', async (storage) => {
    await settleSome(storage, 900);
    for (const isPurged of [false, true]) {
      if (isPurged) assert.ok((await storage.purge(NOON - 5 * DAY)) > 50);
      const records = (await recordsOf(storage)).filter(({ organizationId }) => organizationId === 'org_1');
      const waits = (from: number, until: number) =>
        records
          .filter(({ createdAt }) => createdAt >= from && createdAt < until)
          .flatMap(({ timeToFirstTokenMs: ms }) => (ms === null ? [] : [countedMs(ms)]))
          .sort((one, other) => one - other);
      const times = (sorted: number[]) => ({
        streams: sorted.length,
        p50: sorted[Math.ceil(sorted.length * 0.5) - 1] ?? null,
        p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
      });
      const asked = { organizationId: 'org_1', from: NOON - 10 * DAY, through: NOON };
      const found = await storage.usage.firstTokens(asked);
      assert.deepEqual(
        [found.now, found.previous],
        [times(waits(found.from, found.until)), times(waits(found.previousFrom, found.from))],
      );
      for (const { day, ...of } of found.days) {
        const at = Date.parse(day);
        assert.deepEqual(of, times(waits(at, at + DAY)), day);
      }
      assert.equal(found.days.length, isPurged ? 6 : 11);
    }
    await storage.purge(NOON + DAY);
    const { now, days } = await storage.usage.firstTokens({
      organizationId: 'org_1',
      from: NOON - 399 * DAY,
      through: NOON,
    });
    assert.deepEqual([now.streams, days], [0, []]);
  });

  contract('have so many days at most', async (storage) => {
    const days = (count: number) => ({ ...QUERY, from: NOON - (count - 1) * DAY });
    await storage.usage.summarize(days(MAX_SUMMARY_DAYS));
    const refusal = { kind: 'invalid_request', param: 'start_time', message: /at most 400 days/ };
    await assert.rejects(storage.usage.summarize(days(MAX_SUMMARY_DAYS + 1)), refusal);
    const tooMany = { organizationId: 'org_1', from: NOON - MAX_SUMMARY_DAYS * DAY, through: NOON };
    await assert.rejects(storage.usage.firstTokens(tooMany), refusal);
  });
});

/** What `top` makes of rows by day: the others of each day in one row. */
function othersTogether(rows: readonly SummaryRow[], { by, top }: SummaryQuery): SummaryRow[] {
  const names = by.filter((each) => each !== 'day');
  const nameOf = ({ values }: SummaryRow) => JSON.stringify(names.map((each) => values[each]));
  const spent = Map.groupBy(rows, nameOf);
  const sum = (of: readonly SummaryRow[], count: (sums: UsageSums) => bigint) =>
    of.reduce((so, { sums }) => so + count(sums), 0n);
  const ranked = [...spent].sort(([one, mine], [other, theirs]) => {
    const cost = sum(theirs, (sums) => sums.cost) - sum(mine, (sums) => sums.cost);
    const calls = sum(theirs, (sums) => BigInt(sums.calls)) - sum(mine, (sums) => BigInt(sums.calls));
    return cost !== 0n ? (cost > 0n ? 1 : -1) : calls !== 0n ? (calls > 0n ? 1 : -1) : one < other ? -1 : 1;
  });
  const first = new Set(ranked.slice(0, top).map(([name]) => name));
  const days = new Map<string, SummaryRow>();
  for (const row of rows.filter((each) => !first.has(nameOf(each)))) {
    const { day } = row.values;
    const others: SummaryRow = days.get(day!) ?? {
      ...{ values: { day: day! }, keyName: null, restOf: ranked.length - first.size },
      ...{ sums: nothing(), previous: nothing() },
    };
    days.set(day!, others);
    for (const period of ['sums', 'previous'] as const)
      for (const [name, value] of Object.entries(row[period]) as [keyof UsageSums, never][])
        others[period][name] = (others[period][name] + value) as never;
  }
  return [...rows.filter((each) => first.has(nameOf(each))), ...days.values()];
}

function byName(rows: readonly SummaryRow[]): Map<string, SummaryRow> {
  return new Map(rows.map((row) => [JSON.stringify(Object.entries(row.values).sort()), row]));
}

/** Calls of 24 days and two organizations, one in some of each kind: routed, without a price, failed, estimated. */
async function settleSome(storage: Storage, count: number): Promise<void> {
  const calls = Array.from({ length: count }, (_, number): [Intent, Settlement] => {
    const isRouted = number % 7 === 0;
    const call = intentAt(NOON - (number % 24) * DAY + number, number, {
      organizationId: number % 11 === 0 ? 'org_2' : 'org_1',
      keyId: `key_${number % 4}`,
      ...(number % 4 === 3 && { source: 'product', product: number % 8 === 3 ? 'helpdesk' : 'search' }),
      ...(number % 4 === 2 && {
        source: 'developer_tool',
        tool: { name: number % 3 ? 'codex' : 'aider', version: '1' },
      }),
      model: number % 3 === 0 ? 'small' : 'large',
      ...(isRouted && { model: 'acme/fast', route: 'acme/fast' }),
      ...(number % 5 === 0 && { price: null }),
    });
    return [
      call,
      settlement(call, {
        ...(isRouted && { routed: routed({ decision: decision(), vendorCost: number % 2 ? null : BigInt(number) }) }),
        ...(number % 6 === 0 && { attempts: [attempt(call, { status: 'failed' }), attempt(call)] }),
        ...(number % 5 < 3 && { timeToFirstTokenMs: (number * 37) % 4_321 }),
        ...(number % 13 === 0 && { status: 'failed', errorKind: 'upstream_error', usageSource: 'estimated' }),
      }),
    ];
  });
  await settle(storage, calls);
}

async function settle({ ledger }: Storage, calls: readonly (readonly [Intent, Settlement])[]): Promise<void> {
  await Promise.all(calls.map(([call]) => ledger.intend(call)));
  await Promise.all(calls.map(([, end]) => ledger.settle(end)));
}

async function recordsOf({ usage }: Storage): Promise<UsageRecord[]> {
  return (await usage.list({ organizationId: null, limit: 10_000 }))!.records;
}

/** Compares a summary with the sums of these records. */
async function recount({ usage }: Storage, records: readonly UsageRecord[], query: SummaryQuery): Promise<void> {
  const found = await usage.summarize(query);
  const expected = new Map<string, { now: UsageSums; before: UsageSums }>();
  const length = found.until - found.from;
  const total = { now: nothing(), before: nothing() };
  for (const record of records.filter((each) => isAsked(each, query))) {
    const { createdAt } = record;
    if (createdAt < found.previousFrom || createdAt >= found.until) continue;
    const isBefore = createdAt < found.from;
    const name = JSON.stringify(query.by.map((each) => told(record, each, query, isBefore ? length : 0)));
    const sums = expected.get(name) ?? { now: nothing(), before: nothing() };
    expected.set(name, sums);
    for (const { now, before } of [sums, total]) add(isBefore ? before : now, record);
  }
  const rows = found.rows.map(({ values, sums, previous }) => [
    JSON.stringify(query.by.map((each) => values[each])),
    { now: sums, before: previous },
  ]);
  assert.deepEqual(new Map(rows as [string, { now: UsageSums; before: UsageSums }][]), expected);
  assert.deepEqual({ now: found.totals.sums, before: found.totals.previous }, total);
  assert.ok(found.rest === null);
}

function isAsked(record: UsageRecord, query: SummaryQuery): boolean {
  const { organizationId, keyId, model, product, tool, source, route, provider } = query;
  return [
    [organizationId ?? undefined, record.organizationId],
    [keyId, record.keyId],
    [model, record.model],
    [product, record.product],
    [tool, record.tool?.name],
    [source, record.source],
    [route, record.route],
    [provider, record.provider],
  ].every(([wanted, value]) => wanted === undefined || wanted === value);
}

function told(record: UsageRecord, by: SummaryDimension, query: SummaryQuery, aheadMs: number): string | null {
  switch (by) {
    case 'key':
      return record.keyId;
    case 'tool':
      return record.tool?.name ?? null;
    case 'day':
      return new Date(record.createdAt + aheadMs).toISOString().slice(0, 10);
    case 'provider':
      return query.hidesTargets && record.route !== null ? null : record.provider;
    default:
      return record[by];
  }
}

function nothing(): UsageSums {
  return {
    calls: 0,
    failed: 0,
    estimated: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    cost: 0n,
    withoutCost: 0,
    vendorCost: 0n,
    withoutVendorCost: 0,
    underOther: 0,
    retried: 0,
  };
}

function add(to: UsageSums, { status, usageSource, usage, cost, vendorCost, attempts }: UsageRecord): void {
  to.calls += 1;
  to.retried += attempts > 1 ? 1 : 0;
  to.failed += status === 'failed' ? 1 : 0;
  to.estimated += usageSource === 'estimated' ? 1 : 0;
  to.inputTokens += usage.inputTokens;
  to.cachedTokens += usage.cacheReadTokens;
  to.outputTokens += usage.outputTokens;
  to.cost += cost ?? 0n;
  to.withoutCost += cost === null ? 1 : 0;
  to.vendorCost += vendorCost ?? 0n;
  to.withoutVendorCost += vendorCost === null ? 1 : 0;
}

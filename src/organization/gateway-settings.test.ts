import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { PriceOverride, Setting } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import { GatewaySettings } from './gateway-settings.ts';

const POLL_MS = 500;
const NOON = Date.UTC(2026, 10, 23, 12);

/** A store of prices that counts reads and is polled by the test. */
async function setUp(t: TestContext, stored: Setting<'price_override'>[]) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = { at: NOON, now: () => clock.at };
  const store = { prices: stored, changes: 1, reads: 0 };
  const told = { changes: 0 };
  const all: SettingsStore['all'] = async (_, kind) => {
    if (kind === 'price_override') store.reads += 1;
    return (kind === 'price_override' ? structuredClone(store.prices) : []) as never;
  };
  const settings = new GatewaySettings({
    settings: { all },
    keys: { changes: async () => store.changes },
    organizations: { list: async () => [{ id: 'org_1', name: 'One', createdAt: NOON }] },
    clock,
    onChange: () => (told.changes += 1),
    onError: (error) => assert.fail(String(error)),
  });
  t.after(() => settings.stop());
  await settings.start();
  const poll = async () => {
    t.mock.timers.tick(POLL_MS);
    for (let passed = 0; passed < 10; passed += 1) await turn();
  };
  const inForce = () => settings.kept?.prices.map(({ id }) => id);
  return { clock, store, told, poll, inForce, settings };
}

test('prices bill from their time to their end, without a change and without reading them again', async (t) => {
  const stored = [
    price('a'),
    price('b', { from: NOON + 1_000 }),
    price('c', { from: NOON + 2_000, endedAt: NOON + 3_000 }),
  ];
  const { clock, store, told, poll, inForce } = await setUp(t, stored);
  assert.deepEqual([inForce(), told.changes, store.reads], [['a'], 1, 1]);
  for (const [at, ids, changes] of [
    [999, ['a'], 1],
    [1_000, ['b'], 2],
    [1_999, ['b'], 2],
    [2_000, ['c'], 3],
    [2_999, ['c'], 3],
    [3_000, [], 4],
    [9_000, [], 4],
  ] as const) {
    clock.at = NOON + at;
    await poll();
    assert.deepEqual([inForce(), told.changes], [ids, changes], `${at} ms`);
  }
  assert.equal(store.reads, 1);
});

test('what another process changed, made anew or took away is taken; what it left alone stays the same object', async (t) => {
  const { store, told, poll, inForce, settings } = await setUp(t, [price('a')]);
  const first = settings.kept;
  store.changes += 1;
  await poll();
  assert.deepEqual([settings.kept === first, store.reads, told.changes], [true, 2, 1]);
  const steps: [Setting<'price_override'>[], string[]][] = [
    [[{ ...price('a', { note: 'changed' }), version: 2 }], ['a']],
    [[{ ...price('a'), version: 2, createdAt: NOON + 1 }], ['a']],
    [[], []],
    [[price('b')], ['b']],
  ];
  for (const [index, [prices, ids]] of steps.entries()) {
    store.prices = prices;
    store.changes += 1;
    await poll();
    assert.deepEqual([inForce(), told.changes], [ids, index + 2]);
    assert.deepEqual(settings.kept?.prices, prices);
  }
});

function price(id: string, changes: Partial<PriceOverride> = {}): Setting<'price_override'> {
  const given = { model: 'lab/m', definition: { input_per_1m: 1 }, from: NOON, endedAt: null, note: null };
  const value = { ...given, by: { type: 'operator' as const }, updatedAt: NOON, ...changes };
  return { kind: 'price_override', id, parentId: null, version: 1, createdAt: NOON, value };
}

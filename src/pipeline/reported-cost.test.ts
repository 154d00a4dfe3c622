import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundedNanoDollars } from '../core/money.ts';
import { model, provider } from '../testing/routes.ts';
import { answers, CHAT_USAGE, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

const BELIEVED = { reportsCost: { member: 'cost', source: 'the test' } };

/** What a call costs whose vendor tells this; `price` is in dollars per million tokens. */
async function charged(told: object, isBelieved: boolean, price: [number, number] | null, source?: string) {
  const plain = model('small', price);
  const small = source === undefined ? plain : { ...plain, price: { ...plain.price!, source } };
  const lab = new Lab({
    served: [{ provider: provider('lab', { quirks: isBelieved ? BELIEVED : {} }), models: [small] }],
  });
  lab.reactions = [answers({ ...completion(), usage: { ...CHAT_USAGE, ...told } })];
  await lab.call(SMALL_CHAT);
  return lab.settlements[0]!;
}

test('a call without a price costs what its vendor says that it charged', async () => {
  const { cost, counted, lineItems, routed } = await charged({ cost: 0.0123 }, true, null);
  assert.deepEqual([cost, counted], [12_300_000n, 12_300_000n]);
  assert.deepEqual(lineItems, [{ component: 'vendor_cost', quantity: 1, rate: 12_300_000_000n, amount: 12_300_000n }]);
  assert.equal(routed?.price?.source, 'vendor');
});

test('a price goes before what the vendor says, and only some vendors are believed', async () => {
  const cost = 5;
  assert.notEqual((await charged({ cost }, true, [1, 2])).cost, 5_000_000_000n);
  assert.equal((await charged({ cost }, false, null)).cost, null);
  for (const odd of [-1, '-5', '5 USD', '', null, { total: 5 }, 10_001, '1e30', 1e30]) {
    assert.equal((await charged({ cost: odd }, true, null)).cost, null);
  }
});

test('what the vendor says goes before a price of its own list', async () => {
  assert.equal((await charged({ cost: 5 }, true, [1, 2], 'vendor')).cost, 5_000_000_000n);
  assert.notEqual((await charged({ cost: 5 }, false, [1, 2], 'vendor')).cost, 5_000_000_000n);
});

test('each vendor that is believed is read where it tells it', async () => {
  const told: readonly [object, bigint | null][] = [
    [{ cost_in_usd_ticks: 37_756_000 }, 3_775_600n],
    [{ cost_in_usd_ticks: 4 }, 0n],
    [{ cost_in_usd_ticks: 5 }, 1n],
    [{ cost_in_usd_ticks: 0.5 }, null],
    [{ cost_in_usd_ticks: '5' }, 1n],
    [{ cost_in_usd_ticks: 1e14 + 1 }, null],
    [{ cost_in_usd_ticks: null, cost: '0.0123' }, 12_300_000n],
    [{ cost: { total_cost: '0.006' } }, 6_000_000n],
    [{ cost: 10_000 }, 10_000_000_000_000n],
    [{ cost: null, estimated_cost: '1.5e-5' }, 15_000n],
    [{ cost: '0.001', is_byok: true, cost_details: { upstream_inference_cost: '0.02' } }, 21_000_000n],
    [{ estimated_cost: 0.0000268 }, 26_800n],
    [{ cost: { input_tokens_cost: 0.000007, request_cost: 0.006, total_cost: 0.006007 } }, 6_007_000n],
    [{ cost: 1.316e-5, market_cost: 9 }, 13_160n],
    [{ cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } }, 21_000_000n],
    [{ cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: null } }, null],
    [{ cost: 0.001, is_byok: false, cost_details: { upstream_inference_cost: 0.02 } }, 1_000_000n],
  ];
  for (const [usage, cost] of told) assert.equal((await charged(usage, true, null)).cost, cost, JSON.stringify(usage));
});

test('dollars become nano-dollars digit by digit', () => {
  const amounts: readonly [string, bigint | null][] = [
    ['0', 0n],
    ['0.1', 100_000_000n],
    ['0.0000000005', 1n],
    ['0.00000000049', 0n],
    ['1.5e-7', 150n],
    ['12.000000001', 12_000_000_001n],
    ['1e+3', 1_000_000_000_000n],
    ['123456789.123456789', 123_456_789_123_456_789n],
    ['', null],
    ['-1', null],
    ['NaN', null],
    ['1e+300', null],
  ];
  for (const [text, amount] of amounts) assert.equal(roundedNanoDollars(text), amount, text);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundedNanoDollars } from '../core/money.ts';
import { model, provider } from '../testing/routes.ts';
import { answers, CHAT_USAGE, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

/** What a call costs whose vendor tells this; `price` is in dollars per million tokens. */
async function charged(cost: unknown, tellsCost: boolean, price: [number, number] | null) {
  const lab = new Lab({
    served: [{ provider: provider('lab', { quirks: { tellsCost } }), models: [model('small', price)] }],
  });
  lab.reactions = [answers({ ...completion(), usage: { ...CHAT_USAGE, cost } })];
  await lab.call(SMALL_CHAT);
  return lab.settlements[0]!;
}

test('a call without a price costs what its vendor says that it charged', async () => {
  const { cost, counted, lineItems, routed } = await charged(0.0123, true, null);
  assert.deepEqual([cost, counted], [12_300_000n, 12_300_000n]);
  assert.deepEqual(lineItems, [{ component: 'vendor_cost', quantity: 1, rate: 12_300_000_000n, amount: 12_300_000n }]);
  assert.equal(routed?.price?.source, 'vendor');
});

test('a price goes before what the vendor says, and only some vendors are believed', async () => {
  assert.notEqual((await charged(5, true, [1, 2])).cost, 5_000_000_000n);
  assert.equal((await charged(5, false, null)).cost, null);
  for (const odd of [-1, '5', null, { total: 5 }, 1e30]) assert.equal((await charged(odd, true, null)).cost, null);
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

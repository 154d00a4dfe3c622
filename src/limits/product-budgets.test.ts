import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Limiter, Reservation, Storage } from '../core/ports.ts';
import type { ApiKey, SpendLimit } from '../core/records.ts';
import { intent, NOON, key as plainKey, settlement, temporaryFolder } from '../store/fixtures.test.ts';
import { openStorage } from '../store/storage.ts';
import { createLeasingLimiter } from './leasing/leasing-limiter.ts';
import { createLimiter } from './limiter.ts';
import { withProductBudgets } from './product-budgets.ts';

const DOLLAR = 1_000_000_000n;
const defaults = () => ({ requestsPerMinute: 100, tokensPerMinute: 1_000 });

type Parts = { storage: Storage; clock: { time: number; now(): number; monotonic(): number } };
const LIMITERS: Readonly<Record<string, (parts: Parts) => Limiter>> = {
  'one process': ({ storage, clock }) => createLimiter({ clock, spend: storage.spend, defaults }),
  'several processes': ({ storage, clock }) =>
    createLeasingLimiter({ clock, leases: storage.leases, workers: 2, defaults }),
};

for (const [kind, make] of Object.entries(LIMITERS)) {
  test(`${kind}: the keys of a product share its budget, and no other key has a part in it`, async (t) => {
    const { reserve, one, two, stranger } = await setUp(t, make, { amount: 10n * DOLLAR, per: 'month' });
    const open = await reserve(one, 6n * DOLLAR);
    await assert.rejects(async () => reserve(two, 5n * DOLLAR), {
      kind: 'insufficient_quota',
      message:
        /^The product `helpdesk`, all of its keys together, has \$4 left of the \$10 it may spend per month \(UTC\)/,
    });
    const other = await reserve(two, 4n * DOLLAR);
    await reserve(stranger, 100n * DOLLAR);
    open.settle(10, 1n * DOLLAR);
    other.settle(10, 4n * DOLLAR);
    (await reserve(two, 5n * DOLLAR)).settle(10, 5n * DOLLAR);
    await assert.rejects(async () => reserve(one, 1n), { kind: 'insufficient_quota' });
    await reserve(one, 0n);
  });

  test(`${kind}: a restart knows what all keys of a product have spent`, async (t) => {
    const { reserve, storage, one, two, again } = await setUp(t, make, { amount: 1_000_000n, per: 'day' });
    for (const [number, key] of [one, two].entries()) {
      const reservation = await reserve(key, 300_000n);
      const call = intent(number, { keyId: key.id, product: 'helpdesk', source: 'product' });
      await storage.ledger.intend(call);
      reservation.settle(1_300, 240_000n);
      await storage.ledger.settle(settlement(call));
    }
    const restarted = await again();
    await assert.rejects(async () => restarted(one, 520_001n), { message: /has \$0\.00052 left of the \$0\.001 / });
    await restarted(two, 520_000n);
  });

  test(`${kind}: a model without a price is refused under a budget`, async (t) => {
    const { reserve, one, stranger } = await setUp(t, make, { amount: DOLLAR, per: 'life' });
    await assert.rejects(async () => reserve(one, null), {
      kind: 'model_unpriced',
      message:
        /^The product `helpdesk`, all of its keys together, has a budget, and the model `m` has no price to hold against it\. Whoever/,
    });
    await reserve(stranger, null);
  });

  test(`${kind}: what the key refuses goes back to the product, and what the product refuses takes nothing of the key`, async (t) => {
    const { reserve, limiter, one, two } = await setUp(t, make, { amount: 10n, per: 'life' });
    const tight = { ...one, id: 'key_tight', spendLimit: { amount: 3n, per: 'life' as const } };
    await assert.rejects(async () => reserve(tight, 4n), { message: /^This API key has \$0\.000000003 left/ });
    (await reserve(two, 10n)).settle(0, 9n);
    const before = limiter.state(tight).remainingRequests;
    await assert.rejects(async () => reserve(tight, 2n), { message: /^The product/ });
    assert.equal(limiter.state(tight).remainingRequests, before);
  });

  test(`${kind}: a call that names no maximum takes all that is left of its product and of its key`, async (t) => {
    const { limiter, reserve, one, two, clock } = await setUp(t, make, { amount: 10n, per: 'life' });
    const unnamed = { tokens: 10, cost: 20n, leastCost: 3n, model: 'm' };
    const tight = { ...one, id: 'key_tight', spendLimit: { amount: 4n, per: 'life' as const } };
    const open = await limiter.reserve(tight, unnamed);
    await assert.rejects(async () => reserve(two, 1n), { message: /^The product .* has \$0 left/ });
    open.settle(10, 2n);
    await turn();
    clock.time += 1_000;
    await assert.rejects(async () => limiter.reserve(tight, unnamed), {
      message: /^This API key has \$0\.000000002 left/,
    });
    (await reserve(two, 8n)).settle(10, 6n);
    await turn();
    clock.time += 1_000;
    await assert.rejects(async () => limiter.reserve(two, unnamed), {
      message: /^The product .* has \$0\.000000002 left .* at least \$0\.000000003 must be left/,
    });
    await limiter.reserve(two, { ...unnamed, leastCost: 2n });
  });

  test(`${kind}: a product has no rate of its own`, async (t) => {
    const { reserve, limiter, one } = await setUp(t, make, { amount: DOLLAR, per: 'life' });
    for (let call = 0; call < 20; call += 1) {
      const key = { ...one, id: `key_${call}`, requestsPerMinute: 1, tokensPerMinute: 1_000_000_000 };
      (await reserve(key, 1n, 1_000_000_000)).settle(1_000_000_000, 1n);
    }
    assert.equal(limiter.state({ ...one, requestsPerMinute: 7 }).limitRequests, 7);
  });
}

test('a key of no product, and one whose product has no budget, are answered by the limiter alone', async (t) => {
  const { reserve, one, stranger, budget } = await setUp(t, LIMITERS['one process']!, { amount: 1n, per: 'day' });
  assert.ok(!(reserve(stranger, 5n) instanceof Promise));
  budget.now = null;
  assert.ok(!(reserve(one, 5n) instanceof Promise));
});

test('a budget that a reload changes holds at once', async (t) => {
  const { reserve, one, two, budget } = await setUp(t, LIMITERS['one process']!, { amount: 5n, per: 'day' });
  (await reserve(one, 5n)).settle(1, 5n);
  budget.now = { amount: 8n, per: 'day' };
  await assert.rejects(async () => reserve(two, 4n), { message: /has \$0\.000000003 left/ });
  const reservation = await reserve(two, 3n);
  reservation.settle(1, 3n);
  assert.throws(() => reservation.settle(1, 3n), { message: 'A reservation was settled twice.' });
});

/** Two keys of the product `helpdesk` and one of none, over a store. `again` makes a limiter that remembers nothing. */
async function setUp(t: TestContext, make: (parts: Parts) => Limiter, limit: SpendLimit) {
  const storage = await openStorage({ folder: temporaryFolder(t), instanceId: 'one', durability: 'normal' });
  t.after(() => storage.close());
  const clock = { time: NOON, now: () => clock.time, monotonic: () => clock.time };
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  const ofProduct = { source: 'product', product: 'helpdesk' } as const;
  const [one, two, stranger] = [
    plainKey(ofProduct),
    plainKey({ ...ofProduct, id: 'key_2' }),
    plainKey({ id: 'key_3' }),
  ];
  for (const each of [one, two, stranger]) await storage.keys.create(each, Buffer.from(each.id));
  const budget: { now: SpendLimit | null } = { now: limit };
  const limiterOf = () =>
    withProductBudgets(make({ storage, clock }), (product) => (product === 'helpdesk' ? budget.now : null));
  const reserveOf =
    (limiter: Limiter) =>
    (key: ApiKey, cost: bigint | null, tokens = 10): Reservation | Promise<Reservation> =>
      limiter.reserve(key, { tokens, cost, model: 'm' });
  const limiter = limiterOf();
  async function again() {
    await storage.leases.clear();
    return reserveOf(limiterOf());
  }
  return { storage, clock, limiter, reserve: reserveOf(limiter), again, one, two, stranger, budget };
}

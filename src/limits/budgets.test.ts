import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { amountAt, type Budget, BudgetUsedUp, type CallBudgets, NO_BUDGETS } from '../core/budget.ts';
import type { Limiter, Reservation, Storage } from '../core/ports.ts';
import type { CatalogEntry } from '../core/provider.ts';
import { type ApiKey, budgetId, type SpendLimit } from '../core/records.ts';
import type { KeySettings } from '../core/settings.ts';
import { intent, NOON, key as plainKey, settlement, temporaryFolder } from '../store/fixtures.test.ts';
import { openStorage } from '../store/open.ts';
import { type BudgetedModel, Budgets, SettingsBudgets } from './budgets.ts';
import { createLeasingLimiter } from './leasing/leasing-limiter.ts';
import { createLimiter } from './limiter.ts';

/** The model `m`, which all calls are for. */
const find = () => undefined;
const M: BudgetedModel = { entry: entryOf('m'), sent: 'm', find };
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
        /^The budget of the product `helpdesk` has \$4 left of \$10 per month \(UTC\), .* It resets at 2026-12-01T00:00:00\.000Z\.$/,
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
    await assert.rejects(async () => restarted(one, 520_001n), { message: /has \$0\.00052 left of \$0\.001 / });
    await restarted(two, 520_000n);
  });

  test(`${kind}: a model without a price is refused under a budget`, async (t) => {
    const { reserve, one, stranger } = await setUp(t, make, { amount: DOLLAR, per: 'life' });
    await assert.rejects(async () => reserve(one, null), {
      kind: 'model_unpriced',
      message: /^The model `m` has no price to hold against the budget of the product `helpdesk`\. The operator/,
    });
    await reserve(stranger, null);
  });

  test(`${kind}: what the key refuses goes back to the product, and what the product refuses takes nothing of the key`, async (t) => {
    const { reserve, limiter, one, two } = await setUp(t, make, { amount: 10n, per: 'life' });
    const tight = { ...one, id: 'key_tight', spendLimit: { amount: 3n, per: 'life' as const } };
    await assert.rejects(async () => reserve(tight, 4n), {
      message: /^The spend limit of this API key has \$0\.000000003 left/,
    });
    (await reserve(two, 10n)).settle(0, 9n);
    const before = limiter.state(tight).remainingRequests;
    await assert.rejects(async () => reserve(tight, 2n), { message: /^The budget of the product/ });
    assert.equal(limiter.state(tight).remainingRequests, before);
  });

  test(`${kind}: a call that names no maximum takes all that is left of its product and of its key`, async (t) => {
    const { limiter, reserve, one, two, clock } = await setUp(t, make, { amount: 10n, per: 'life' });
    const unnamed = { tokens: 10, cost: 20n, leastCost: 3n, model: 'm' };
    const tight = { ...one, id: 'key_tight', spendLimit: { amount: 4n, per: 'life' as const } };
    const open = await limiter.reserve(tight, unnamed);
    await assert.rejects(async () => reserve(two, 1n), { message: /^The budget of the product .* has \$0 left/ });
    open.settle(10, 2n);
    await turn();
    clock.time += 1_000;
    await assert.rejects(async () => limiter.reserve(tight, unnamed), {
      message: /^The spend limit of this API key has \$0\.000000002 left/,
    });
    (await reserve(two, 8n)).settle(10, 6n);
    await turn();
    clock.time += 1_000;
    await assert.rejects(async () => limiter.reserve(two, unnamed), {
      message: /^The budget of the product .* has \$0\.000000002 left .* at least \$0\.000000003 must be left/,
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

for (const [kind, make] of Object.entries(LIMITERS)) {
  test(`${kind}: a call takes of all its budgets or of none, and a refusal names the one that is used up`, async (t) => {
    const { limiter, stranger } = await setUp(t, make, { amount: 1n, per: 'day' });
    const organization = budget('organization', 100n);
    const [search, chat] = [budget('search', 30n), budget('chat', 90n)];
    const reserve = (cost: bigint, ...list: Budget[]) =>
      limiter.reserve(stranger, { tokens: 0, cost, model: 'm', budgets: callBudgets(list) });
    const open = [await reserve(30n, search, organization)];
    for (let time = 0; time < 20; time += 1) {
      await assert.rejects(async () => reserve(1n, search, organization), {
        kind: 'insufficient_quota',
        message: /^The budget of search has \$0 left of \$0\.00000003 in all, /,
      });
    }
    open.push(await reserve(70n, chat, organization));
    await assert.rejects(async () => reserve(1n, chat, organization), {
      message: /^The budget of organization has \$0/,
    });
    for (const each of open) each.settle(0, 1n);
    await turn();
    (await reserve(29n, search, organization)).settle(0, 29n);
    (await reserve(69n, chat, organization)).settle(0, 69n);
    await assert.rejects(async () => reserve(1n, chat, organization), {
      message: /^The budget of organization has \$0/,
    });
  });

  test(`${kind}: an excess counts, and refuses the next`, async (t) => {
    const { limiter, stranger } = await setUp(t, make, { amount: 1n, per: 'day' });
    const call = { tokens: 0, cost: 5n, model: 'm', budgets: callBudgets([budget('pool', 10n)]) };
    (await limiter.reserve(stranger, call)).settle(0, 12n);
    await turn();
    await assert.rejects(async () => limiter.reserve(stranger, { ...call, cost: 1n }), BudgetUsedUp);
  });

  test(`${kind}: a budget that only counts refuses nobody, however much is spent of it, and no model for its price`, async (t) => {
    const { limiter, stranger } = await setUp(t, make, { amount: 1n, per: 'day' });
    const soft = callBudgets([{ ...budget('soft', 10n), isHard: false }]);
    for (let time = 0; time < 30; time += 1) {
      (await limiter.reserve(stranger, { tokens: 0, cost: 7n, model: 'm', budgets: soft })).settle(0, 9n);
    }
    await limiter.reserve(stranger, { tokens: 0, cost: null, model: 'unpriced', budgets: soft });
    const hard = callBudgets([{ ...budget('soft', 277n), isHard: true }]);
    await assert.rejects(async () => limiter.reserve(stranger, { tokens: 0, cost: 8n, model: 'm', budgets: hard }), {
      message: /has \$0\.000000007 left/,
    });
    await limiter.reserve(stranger, { tokens: 0, cost: 7n, model: 'm', budgets: hard });
  });

  test(`${kind}: an override adds to a budget until it ends`, async (t) => {
    const { limiter, stranger, clock } = await setUp(t, make, { amount: 1n, per: 'day' });
    const overrides = [{ amount: 50n, until: NOON + 60_000 }];
    const budgets = callBudgets([{ ...budget('team', 10n), per: 'day', overrides }]);
    const reserve = (cost: bigint) => limiter.reserve(stranger, { tokens: 0, cost, model: 'm', budgets });
    await assert.rejects(async () => reserve(61n), { message: /left of \$0\.00000006 per day/ });
    (await reserve(5n)).settle(0, 5n);
    clock.time = NOON + 59_999;
    await turn();
    (await reserve(1n)).settle(0, 1n);
    clock.time = NOON + 60_000;
    await assert.rejects(async () => reserve(5n), { message: /\$0\.000000004 left of \$0\.00000001 per day/ });
    await reserve(4n);
  });

  test(`${kind}: a budget that is taken away and set again knows what is open under it`, async (t) => {
    const { limiter, stranger } = await setUp(t, make, { amount: 1n, per: 'day' });
    const reserve = (cost: bigint, ...list: Budget[]) =>
      limiter.reserve(stranger, { tokens: 0, cost, model: 'm', budgets: callBudgets(list) });
    const open = await reserve(6n, budget('team', 10n));
    await reserve(50n);
    await assert.rejects(async () => reserve(5n, budget('team', 10n)), { message: /\$0\.000000004 left/ });
    open.settle(0, 9n);
    await turn();
    await assert.rejects(async () => reserve(2n, budget('team', 10n)), { message: /\$0\.000000001 left/ });
    await reserve(1n, budget('team', 10n));
  });

  test(`${kind}: what is spent while the budget of a project is away counts when it is set again`, async (t) => {
    const { storage, limiter, stranger } = await setUp(t, make, { amount: 1n, per: 'day' });
    const settings = new SettingsBudgets();
    const set = (cents: number, setAt: number): CallBudgets =>
      callBudgets(
        settings.of({
          models: null,
          rates: new Map(),
          spendLimits: [
            { organizationId: 'org_1', projectId: stranger.projectId, name: 'Default project', cents, setAt },
          ],
          budgets: [],
        }),
      );
    async function spend(number: number, cost: bigint, budgets = NO_BUDGETS) {
      const reservation = await limiter.reserve(stranger, { tokens: 0, cost, model: 'm', budgets });
      const call = intent(number, { keyId: stranger.id });
      await storage.ledger.intend(call);
      reservation.settle(0, cost);
      await storage.ledger.settle(settlement(call, { cost }));
      await turn();
    }
    await spend(1, 1_000_000n, set(1, NOON));
    await spend(2, 7_000_000n);
    await assert.rejects(() => spend(3, 3_000_000n, set(1, NOON + 1)), {
      kind: 'insufficient_quota',
      message: /the project `Default project` has \$0\.002 left of \$0\.01 per month/,
    });
    await spend(4, 2_000_000n, set(1, NOON + 1));
  });
}

test('of several that are used up, a refusal names one that nothing serves instead of, and the one that begins anew last', async (t) => {
  const { limiter, stranger } = await setUp(t, LIMITERS['one process']!, { amount: 1n, per: 'day' });
  const day: Budget = { ...budget('day', 1n), per: 'day' };
  const month: Budget = { ...budget('month', 1n), per: 'month' };
  const cheap: Budget = { ...budget('cheap', 1n), instead: 'acme/cheap' };
  const refusalOf = async (...list: Budget[]) => {
    const call = { tokens: 0, cost: 2n, model: 'm', budgets: callBudgets(list) };
    const refused: unknown = await (async () => limiter.reserve(stranger, call))().catch((error: unknown) => error);
    assert.ok(refused instanceof BudgetUsedUp);
    return [refused.message.split(' ')[3], refused.instead];
  };
  const errors = [];
  for (const list of [[day, month], [month, cheap], [cheap, day], [cheap]]) errors.push(await refusalOf(...list));
  assert.deepEqual(errors, [
    ['month', null],
    ['month', null],
    ['day', null],
    ['cheap', 'acme/cheap'],
  ]);
});

test('a budget holds for the models that it names, and not for what serves instead of them', () => {
  const list: Budget[] = [
    budget('all', 1n),
    { ...budget('some', 1n), models: ['fast', 'acme/big'] },
    { ...budget('first', 1n), instead: 'acme/cheap' },
  ];
  const budgets = new Budgets({ ofProduct: () => null, ofKey: () => list });
  const held = (id: string, sent = id) => budgets.of(plainKey(), { entry: entryOf(id), sent, find }).ids;
  assert.equal(held('big'), 'budget_all budget_some budget_first');
  assert.equal(held('other'), 'budget_all budget_first');
  assert.equal(held('other', 'fast'), 'budget_all budget_some budget_first');
  assert.equal(held('cheap'), 'budget_all');
  assert.equal(held('x', 'acme/cheap'), 'budget_all');
  for (const [alone, id] of [
    [list[1]!, 'other'],
    [list[2]!, 'cheap'],
  ] as const) {
    const only = new Budgets({ ofProduct: () => null, ofKey: () => [alone] });
    assert.equal(only.of(plainKey(), { entry: entryOf(id), sent: id, find }).ids, '', alone.name);
  }
  const model = { entry: entryOf('m'), sent: 'm', find };
  const key = plainKey();
  const plain = new Budgets({ ofProduct: () => null, ofKey: () => list.slice(0, 1) });
  assert.notEqual(plain.of(key, model).list.length, 0);
  const same = list.slice(0, 1);
  const cached = new Budgets({ ofProduct: () => null, ofKey: () => same });
  assert.equal(cached.of(key, model), cached.of(key, { ...model, sent: 'n' }), 'made once for a key');
});

test('the budgets of a key are those of now, and what its product and its project spend is counted by no id of its own', () => {
  let product: SpendLimit = { amount: 1n, per: 'day' };
  let own: readonly Budget[] = [budget('one', 2n)];
  const budgets = new Budgets({ ofProduct: () => product, ofKey: () => own });
  const key = plainKey({ product: 'helpdesk', source: 'product' });
  const present = () => {
    const { list, ids } = budgets.of(key as ApiKey, M);
    return [list.map(({ amount }) => amount), ids];
  };
  assert.deepEqual(present(), [[1n, 2n], 'budget_one']);
  product = { amount: 3n, per: 'day' };
  assert.deepEqual(present(), [[3n, 2n], 'budget_one']);
  own = [budget('two', 4n), { ...budget('project', 5n), id: budgetId({ of: 'project', id: 'proj_1' }) }];
  assert.deepEqual(present(), [[3n, 4n, 5n], 'budget_two']);
});

test('budgets of settings are as they were set last, those of a project before those of the organization', () => {
  const settings = new SettingsBudgets();
  const amountsOf = (spendLimits: KeySettings['spendLimits'], budgets: KeySettings['budgets'] = []) =>
    settings.of({ models: null, rates: new Map(), spendLimits, budgets }).map((each) => amountAt(each, NOON));
  const limit = (projectId: string | null, cents: number) => {
    return { organizationId: 'org_1', projectId, name: 'First', cents, setAt: NOON };
  };
  assert.deepEqual(amountsOf([limit(null, 5), limit('proj_1', 1)]), [10_000_000n, 50_000_000n]);
  assert.deepEqual(amountsOf([limit(null, 7), limit('proj_1', 2)]), [20_000_000n, 70_000_000n]);
  const shared = (version: number, amount: string, until: number) => {
    const plain = { name: 'pool', holders: [], per: 'month', isHard: true, alerts: [], recipients: [] } as const;
    const value = { ...plain, amount, overrides: [{ amount: '1', until }], instead: null, models: null };
    return { id: 'budget_1', version, value };
  };
  assert.deepEqual(amountsOf([], [shared(1, '10', NOON + 1)]), [11n]);
  assert.deepEqual(amountsOf([], [shared(2, '20', NOON)]), [20n], 'changed, and with an override that has ended');
});

test('of ten thousand budgets each stays the same object for all keys; of more, the one met first is made anew', () => {
  const settings = new SettingsBudgets();
  const budgetOf = (index: number) => {
    const limit = { organizationId: `org_${index}`, projectId: null, name: 'First', cents: 1, setAt: NOON };
    return settings.of({ models: null, rates: new Map(), spendLimits: [limit], budgets: [] })[0];
  };
  const first = budgetOf(0);
  for (let index = 1; index < 10_000; index += 1) budgetOf(index);
  assert.equal(budgetOf(0), first);
  budgetOf(10_000);
  assert.notEqual(budgetOf(0), first);
});

test('a key of no product, and one whose product has no budget, are answered by the limiter alone', async (t) => {
  const { reserve, one, stranger, present } = await setUp(t, LIMITERS['one process']!, { amount: 1n, per: 'day' });
  assert.ok(!(reserve(stranger, 5n) instanceof Promise));
  present.now = null;
  assert.ok(!(reserve(one, 5n) instanceof Promise));
});

test('a budget that a reload changes holds at once', async (t) => {
  const { reserve, one, two, present } = await setUp(t, LIMITERS['one process']!, { amount: 5n, per: 'day' });
  (await reserve(one, 5n)).settle(1, 5n);
  present.now = { amount: 8n, per: 'day' };
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
  const present: { now: SpendLimit | null } = { now: limit };
  const budgets = new Budgets({
    ofProduct: (product) => (product === 'helpdesk' ? present.now : null),
    ofKey: () => [],
  });
  const limiterOf = () => withBudgets(make({ storage, clock }), budgets);
  const reserveOf =
    (limiter: Limiter) =>
    (key: ApiKey, cost: bigint | null, tokens = 10): Reservation | Promise<Reservation> =>
      limiter.reserve(key, { tokens, cost, model: 'm' });
  const limiter = limiterOf();
  async function again() {
    await storage.leases.clear();
    return reserveOf(limiterOf());
  }
  return { storage, clock, limiter, reserve: reserveOf(limiter), again, one, two, stranger, present };
}

/** Finds the budgets of each call, as the pipeline does. */
function withBudgets(limiter: Limiter, budgets: Budgets): Limiter {
  return {
    ...limiter,
    reserve: (key, call) => limiter.reserve(key, { budgets: budgets.of(key as ApiKey, M), ...call }),
    state: (key) => limiter.state(key),
  };
}

function budget(name: string, amount: bigint): Budget {
  const plain = { per: 'life', overrides: [], isHard: true, instead: null, models: null } as const;
  return { id: `budget_${name}`, name: `the budget of ${name}`, amount, ...plain };
}

function callBudgets(list: readonly Budget[]): CallBudgets {
  return { list, ids: list.map(({ id }) => id).join(' ') };
}

function entryOf(id: string): CatalogEntry {
  return { id, origin: 'vendor', provider: { id: 'acme' }, model: { id, upstreamId: id } } as CatalogEntry;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetId } from '../core/records.ts';
import { intent, intentAt, key, NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import type { StorageOptions } from './journaled-storage.ts';
import { openStorage, openThreadedStorage } from './open.ts';

const onThread = { onThreadDeath: assert.ifError, onThreadRestart: () => undefined };
const OPENERS = {
  'one thread': openStorage,
  'a thread for the tables': (options: StorageOptions) => openThreadedStorage({ ...options, ...onThread }),
};

for (const [name, open] of Object.entries(OPENERS)) {
  test(`what open calls hold against each budget is told, and what is settled is not (${name})`, async (t) => {
    const storage = await open({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
    t.after(() => storage.close());
    const calls = [
      intent(1, { budgets: 'budget_team budget_pool', held: 500n }),
      intent(2, { budgets: 'budget_pool', held: 30n }),
      intent(3, { budgets: 'budget_team', held: null }),
      intent(4, { held: 7n }),
    ];
    for (const call of calls) await storage.ledger.intend(call);
    const held = async () => [...(await storage.thresholds.held())].toSorted();
    assert.deepEqual(await held(), [
      ['budget_pool', 530n],
      ['budget_team', 500n],
    ]);
    await storage.ledger.settle(settlement(calls[0]!));
    assert.deepEqual(await held(), [['budget_pool', 30n]]);
  });

  test(`a budget that calls were refused for is told with its period and the time of its last refusal, once (${name})`, async (t) => {
    const storage = await open({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
    t.after(() => storage.close());
    const { thresholds } = storage;
    const [early, late] = ['day 2026-11-20', 'day 2026-11-21'].map((period) => ({ id: 'budget_team', period }));
    await thresholds.noteUsedUp(early!, 1_000, 0);
    await thresholds.noteUsedUp({ id: 'budget_pool', period: 'life' }, 1_000, 0);
    await thresholds.noteUsedUp(late!, 2_000, 0);
    await thresholds.noteUsedUp(late!, 3_000, 0);
    assert.deepEqual(await thresholds.usedUp(['budget_team', 'budget_none']), [
      { ...early, at: 1_000 },
      { ...late, at: 3_000 },
    ]);
    await thresholds.noteUsedUp(late!, 4_000, 1_500);
    assert.deepEqual(await thresholds.usedUp(['budget_team', 'budget_pool']), [
      { id: 'budget_pool', period: 'life', at: 1_000 },
      { ...late, at: 4_000 },
    ]);
  });

  test(`notes on a life stay, and those on earlier periods go with the next one of their budget (${name})`, async (t) => {
    const storage = await open({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
    t.after(() => storage.close());
    const { thresholds } = storage;
    const note = (budgetId: string, period: string, at: number, forgetBefore = 0) =>
      thresholds.tell({ budgetId, period, threshold: 'part 0.5' }, at, forgetBefore);
    await note('team', 'life', 1_000);
    await note('team', 'day 1', 1_000);
    await note('team', 'day 2', 1_500);
    await note('pool', 'day 1', 1_000);
    await note('team', 'day 3', 2_000, 1_500);
    const told = (await thresholds.told(['team', 'pool'])).map(({ budgetId, period }) => `${budgetId} ${period}`);
    assert.deepEqual(told.toSorted(), ['pool day 1', 'team day 2', 'team day 3', 'team life']);
  });

  test(`what was told and spent is known of more ids than one statement asks for (${name})`, async (t) => {
    const storage = await open({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
    t.after(() => storage.close());
    const { thresholds, ledger, keys } = storage;
    await storage.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
    const ids = Array.from({ length: 1_001 }, (_, number) => `budget_${number}`);
    const asked = [ids[0]!, ids[499]!, ids[500]!, ids[1_000]!];
    for (const budgetId of asked) {
      await thresholds.tell({ budgetId, period: 'life', threshold: 'part 0.5' }, 1_000, 0);
      await thresholds.noteUsedUp({ id: budgetId, period: 'life' }, 1_000, 0);
    }
    const call = intent(1, { budgets: asked.join(' ') });
    await ledger.intend(call);
    await ledger.settle(settlement(call, { counted: 7n }));
    const products = ids.map((_, number) => `product_${number}`);
    for (const number of [0, 499, 500, 1_000]) {
      const product = products[number]!;
      await keys.create(key({ id: `key_of_${product}`, product }), Buffer.from(product));
      const ofProduct = intent(number + 2, { keyId: `key_of_${product}` });
      await ledger.intend(ofProduct);
      await ledger.settle(settlement(ofProduct, { counted: 9n }));
    }
    const isTold = (await thresholds.told(ids)).filter(({ threshold }) => threshold === 'part 0.5');
    assert.deepEqual(isTold.map(({ budgetId }) => budgetId).toSorted(), asked.toSorted());
    assert.deepEqual((await thresholds.usedUp(ids)).map(({ id }) => id).toSorted(), asked.toSorted());
    const life = { sinceDay: null, throughDay: null };
    const groups = products.map((product) => budgetId({ of: 'product', id: product }));
    const spent = await thresholds.spent([...ids, ...groups].map((id) => ({ id, ...life })));
    const amounts = [...ids, ...groups].flatMap((id, index) => (spent[index] === 0n ? [] : [`${id} ${spent[index]}`]));
    const spenders = [0, 499, 500, 1_000].map((number) => `${groups[number]} 9`);
    assert.deepEqual(amounts, [...asked.map((id) => `${id} 7`), ...spenders]);
  });

  test(`what was spent is added up from the first day of a period through its last (${name})`, async (t) => {
    const storage = await open({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
    t.after(() => storage.close());
    await storage.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
    await storage.keys.create(key({ product: 'search' }), Buffer.alloc(32, 1));
    for (const [day, counted] of [1n, 10n, 100n, 1_000n].entries()) {
      const call = intentAt(NOON + day * 86_400_000, day, { budgets: 'team' });
      await storage.ledger.intend(call);
      await storage.ledger.settle(settlement(call, { counted }));
    }
    const [first, second, third] = ['2026-11-21', '2026-11-22', '2026-11-23'];
    for (const id of ['team', budgetId({ of: 'product', id: 'search' })]) {
      const of = (sinceDay: string | null = null, throughDay: string | null = null) => ({ id, sinceDay, throughDay });
      const asked = [of(second, third), of(second), of(null, third), of(first, first), of()];
      assert.deepEqual(await storage.thresholds.spent(asked), [110n, 1_110n, 111n, 1n, 1_111n]);
    }
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intent, settlement, temporaryFolder } from './fixtures.test.ts';
import type { StorageOptions } from './journaled-storage.ts';
import { openStorage } from './storage.ts';
import { openThreadedStorage } from './threaded-storage.ts';

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
}

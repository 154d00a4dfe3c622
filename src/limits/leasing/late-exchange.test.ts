import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from '../../core/budget.ts';
import type { Reservation } from '../../core/ports.ts';
import { budgetId } from '../../core/records.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import { settleAll } from '../../store/contract.test.ts';
import { intentAt } from '../../store/fixtures.test.ts';
import { setUp } from './fixtures.test.ts';
import type { LeasingLimiter } from './leasing-limiter.ts';

/** More than fits 64 bits. */
const TOO_MUCH = 10n ** 19n;
const BUDGET: Budget = {
  id: 'budget_1',
  name: 'Team',
  amount: 1_000n,
  per: 'life',
  overrides: [],
  isHard: true,
  instead: null,
  models: null,
};

test('an exchange that was asked for yesterday and is done today takes nothing from what counts today', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'day' } });
  let fault: 'before' | null = 'before';
  const [one, other] = [worker('one', { fault: () => fault }), worker('other')];
  clock.time = DAY_MS - 10;
  await assert.rejects(async () => one.reserve(0, 10n), { kind: 'storage_unavailable' });
  clock.time = DAY_MS + 10;
  const open = await other.reserve(0, 900n);
  fault = null;
  await assert.rejects(async () => one.reserve(0, 900n), { kind: 'insufficient_quota' });
  open.settle(0, 0n);
  clock.time += 1_000;
  await other.limiter.returnIdle();
  await one.reserve(0, 900n);
});

test('a usage that no store can keep is no hindrance to other keys', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  (await one.reserve(0, 1n)).settle(0, TOO_MUCH);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await one.reserve(0, 0n, undefined, { ...one.key, id: 'key_2' });
});

test('a call that no store can keep takes nothing of what its worker holds', async (t) => {
  const { worker, exchanges } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one');
  await one.reserve(0);
  const budgets = { list: [{ ...BUDGET, isHard: false }], ids: BUDGET.id };
  const call = { tokens: 0, cost: TOO_MUCH, model: 'm', budgets };
  await assert.rejects(async () => one.limiter.reserve(one.key, call), { kind: 'storage_unavailable' });
  const before = exchanges.count;
  for (let calls = 0; calls < 10; calls += 1) now(one.reserve(0));
  assert.equal(exchanges.count, before);
});

test('a key keeps its account while its exchange has no answer, however many others come', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  let fault: 'before' | null = 'before';
  const [one, other] = [worker('one', { maxKeys: 1, fault: () => fault }), worker('other')];
  const second = { ...one.key, id: 'key_2' };
  for (const as of [one.key, second]) {
    await assert.rejects(async () => one.reserve(0, 10n, undefined, as), { kind: 'storage_unavailable' });
  }
  fault = null;
  await one.reserve(0, 900n);
  await returnTwice(one.limiter, clock);
  await assert.rejects(async () => other.reserve(0, 900n), { kind: 'insufficient_quota' });
});

test('a key keeps its account while its exchange is queued, however many others come', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one', { maxKeys: 1 }), worker('other')];
  const second = { ...one.key, id: 'key_2' };
  const [first] = await Promise.all([one.reserve(0, 10n), one.reserve(0, 0n, undefined, second)]);
  first.settle(0, 10n);
  await one.reserve(0, 900n);
  await returnTwice(one.limiter, clock);
  await assert.rejects(async () => other.reserve(0, 900n), { kind: 'insufficient_quota' });
});

test('what a lost answer granted goes back without another call, and at the end', async (t) => {
  const { worker, clock, leases } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  let fault: 'after' | null = 'after';
  const one = worker('one', { fault: () => fault });
  const lose = async () => {
    fault = 'after';
    await assert.rejects(async () => one.reserve(0, 900n), { kind: 'storage_unavailable' });
    fault = null;
    clock.time += 1_000;
  };
  await lose();
  await returnTwice(one.limiter, clock);
  assert.deepEqual(await leases.heldBy('one'), []);
  await lose();
  await one.limiter.close();
  assert.deepEqual(await leases.heldBy('one'), []);
});

test('a limit that was away while an answer was lost counts what was spent meanwhile', async (t) => {
  const { worker, storage } = await setUp(t, { spendLimit: { amount: 300_000n, per: 'life' } });
  let fault: 'after' | null = 'after';
  const one = worker('one', { fault: () => fault });
  await assert.rejects(async () => one.reserve(0, 10n), { kind: 'storage_unavailable' });
  await settleAll(storage, [intentAt(1, 1, { keyId: one.key.id })]);
  // This worker hears only of the end of it.
  const again = { ...one.key };
  one.limiter.state(again);
  fault = null;
  await assert.rejects(async () => one.reserve(0, 100_000n, undefined, again), { kind: 'insufficient_quota' });
});

test('a budget of a product that was away while an answer was lost counts what was spent meanwhile', async (t) => {
  const { worker, storage } = await setUp(t, {});
  let fault: 'after' | null = 'after';
  const one = worker('one', { fault: () => fault });
  const reserve = async (budget: Budget, cost: bigint) =>
    one.limiter.reserve(one.key, { tokens: 0, cost, model: 'm', budgets: { list: [budget], ids: budget.id } });
  const budget = { ...BUDGET, id: budgetId({ of: 'product', id: 'product_1' }), amount: 300_000n };
  await assert.rejects(reserve(budget, 10n), { kind: 'storage_unavailable' });
  await settleAll(storage, [intentAt(1, 1, { keyId: budget.id })]);
  const again = { ...budget };
  await assert.rejects(reserve(again, 10n), { kind: 'storage_unavailable' });
  fault = null;
  await assert.rejects(reserve(again, 100_000n), { kind: 'insufficient_quota' });
});

/** Once where it is idle, and once where what came back then is. */
async function returnTwice(limiter: LeasingLimiter, clock: { time: number }): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    clock.time += 1_000;
    await limiter.returnIdle();
  }
}

function now(reservation: Reservation | Promise<Reservation>): Reservation {
  assert.ok(!(reservation instanceof Promise));
  return reservation;
}

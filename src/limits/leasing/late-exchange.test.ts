import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from '../../core/budget.ts';
import type { Reservation } from '../../core/ports.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import { setUp } from './fixtures.test.ts';

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

function now(reservation: Reservation | Promise<Reservation>): Reservation {
  assert.ok(!(reservation instanceof Promise));
  return reservation;
}

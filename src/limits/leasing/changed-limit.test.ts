import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from '../../core/budget.ts';
import type { ApiKey } from '../../core/records.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import { settleAll } from '../../store/contract.test.ts';
import { intentAt } from '../../store/fixtures.test.ts';
import { setUp } from './fixtures.test.ts';
import { TRUST_MS } from './leasing-limiter.ts';

test('a limit that was away for a while counts what was spent meanwhile, for every worker', async (t) => {
  const { worker, storage, clock } = await setUp(t, { spendLimit: { amount: 1_000_000n, per: 'life' } });
  const [one, other, late] = [worker('one'), worker('other'), worker('late')];
  for (const each of [one, other]) (await each.reserve(0, 1_000n)).settle(0, 0n);
  const unlimited = { ...one.key, spendLimit: null };
  const open = await one.reserve(0, null, undefined, unlimited);
  // Three calls of 240,000, of which no limiter heard while there was no limit.
  await settleAll(
    storage,
    [0, 1, 2].map((number) => intentAt(1_767_225_600_000 + number, number, { keyId: one.key.id })),
  );
  for (const each of [late, other, one]) {
    clock.time += TRUST_MS;
    await assert.rejects(async () => each.reserve(0, 400_000n, undefined, { ...one.key }), {
      kind: 'insufficient_quota',
    });
  }
  // One that began without a limit, and ends under it.
  open.settle(0, 270_000n);
  await turn();
  clock.time += TRUST_MS;
  await assert.rejects(async () => one.reserve(0, 20_000n), { kind: 'insufficient_quota' });
});

test('what is settled while the spending under a new limit is looked up counts', async (t) => {
  const { worker, storage, leases } = await setUp(t, { spendLimit: { amount: 300_000n, per: 'life' } });
  let looks = 0;
  const one = worker('one', {
    async catchUp() {
      looks += 1;
      // It ends just now, and its record comes too late for this look.
      if (looks === 1) open.settle(0, 240_000n);
      else await settleAll(storage, [intentAt(DAY_MS, 1, { keyId: one.key.id })]);
      await leases.catchUp();
    },
  });
  const open = await one.reserve(0, null, undefined, { ...one.key, spendLimit: null });
  await assert.rejects(async () => one.reserve(0, 100_000n), { kind: 'insufficient_quota' });
});

test('what a worker spent on a day counts once its lease has gone back, for one that holds a call since the day before', async (t) => {
  const { worker, storage, clock, leases } = await setUp(t, { spendLimit: { amount: 300_000n, per: 'day' } });
  let written = 0;
  /** Records come to be read when they are waited for, and no sooner. */
  const catchUp = async () => {
    if (written < clock.time) await settleAll(storage, [intentAt(clock.time, 1, { keyId: one.key.id })]);
    written = clock.time;
    await leases.catchUp();
  };
  const [one, other] = [worker('one', { catchUp }), worker('other', { catchUp })];
  await one.reserve(0, 1_000n);
  clock.time = DAY_MS;
  written = DAY_MS;
  (await other.reserve(0, 240_000n)).settle(0, 240_000n);
  written = 0;
  clock.time += 1_000;
  await other.limiter.returnIdle();
  // It is told of the day that has begun, without a call of it.
  one.limiter.state(one.key);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await assert.rejects(async () => one.reserve(0, 100_000n), { kind: 'insufficient_quota' });
});

test('a worker holds no more of a budget whose override has ended than of one that had none', async (t) => {
  const { worker, clock } = await setUp(t, {});
  const team: Budget = {
    id: 'budget_team',
    name: 'the budget "team"',
    amount: 100n,
    per: 'day',
    overrides: [{ amount: 10_000n, until: 1_000 }],
    isHard: true,
    instead: null,
    models: null,
  };
  const call = { tokens: 0, model: 'm', budgets: { list: [team], ids: team.id } };
  const [one, other] = [worker('one'), worker('other')];
  await one.limiter.reserve(one.key, { ...call, cost: 1n });
  clock.time = 1_000;
  await one.limiter.reserve(one.key, { ...call, cost: 1n });
  await other.limiter.reserve(other.key, { ...call, cost: 90n });
});

test('a worker that does not know yet of a new limit leaves what another holds of it', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, late] = [worker('one'), worker('late')];
  const open = [await one.reserve(0, 600n), await one.reserve(0, 300n)];
  (await late.reserve(0, null, undefined, { ...late.key, spendLimit: null })).settle(0, 0n);
  clock.time += TRUST_MS;
  await assert.rejects(async () => one.reserve(0, 101n), { kind: 'insufficient_quota' });
  for (const [index, counted] of [600n, 100n].entries()) open[index]!.settle(0, counted);
  await turn();
  await assert.rejects(async () => late.reserve(0, 301n), { kind: 'insufficient_quota' });
});

for (const [counted, left] of [
  [200n, 800n],
  [600n, 400n],
  [700n, 300n],
] as const) {
  test(`of a limit that was removed and set again, calls still hold theirs, and count what they cost (${counted})`, async (t) => {
    const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
    const one = worker('one');
    const open = await one.reserve(0, 600n);
    // More than a block of tokens, so that the store is asked.
    (await one.reserve(200_000, null, undefined, { ...one.key, spendLimit: null })).settle(0, 0n);
    const again = { ...one.key };
    await assert.rejects(async () => one.reserve(0, 401n, undefined, again), { kind: 'insufficient_quota' });
    open.settle(0, counted);
    await turn();
    clock.time += TRUST_MS;
    await assert.rejects(async () => one.reserve(0, left + 1n, undefined, again), { kind: 'insufficient_quota' });
    clock.time += TRUST_MS;
    await one.reserve(0, left, undefined, again);
  });
}

test('what ends while its limit is removed is told before the limit is set again', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  const open = await one.reserve(0, 600n);
  await one.reserve(0, null, undefined, { ...one.key, spendLimit: null });
  open.settle(0, 200n);
  await turn();
  clock.time += TRUST_MS;
  await assert.rejects(async () => other.reserve(0, 801n), { kind: 'insufficient_quota' });
  await worker('third').reserve(0, 800n);
});

test('a call counts in the period of its limit, though the limit was for another kind of period in between', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  const open = await one.reserve(0, 600n);
  await one.reserve(0, 1n, undefined, { ...one.key, spendLimit: { amount: 1_000n, per: 'day' } });
  const again = { ...one.key };
  (await one.reserve(0, 1n, undefined, again)).settle(0, 0n);
  open.settle(0, 600n);
  await turn();
  clock.time += TRUST_MS;
  await assert.rejects(async () => one.reserve(0, 401n, undefined, again), { kind: 'insufficient_quota' });
});

test('a limit of which only the amount or only the period is another holds as it is now', async (t) => {
  const { worker, storage, clock } = await setUp(t, { spendLimit: { amount: 1_000_000n, per: 'life' } });
  const one = worker('one');
  // Three calls of 240,000, a day before today.
  await settleAll(
    storage,
    [0, 1, 2].map((number) => intentAt(1_767_225_600_000 + number, number, { keyId: one.key.id })),
  );
  clock.ahead = 1_767_225_600_000 + 86_400_000;
  const lets = async (cost: bigint, spendLimit: ApiKey['spendLimit']) => {
    clock.time += TRUST_MS;
    return (await one.reserve(0, cost, undefined, { ...one.key, spendLimit })).settle(0, 0n);
  };
  await lets(200_000n, { amount: 1_000_000n, per: 'life' });
  await assert.rejects(lets(200_000n, { amount: 800_000n, per: 'life' }), { kind: 'insufficient_quota' });
  await assert.rejects(lets(900_000n, { amount: 1_000_000n, per: 'life' }), { kind: 'insufficient_quota' });
  await lets(900_000n, { amount: 1_000_000n, per: 'day' });
});

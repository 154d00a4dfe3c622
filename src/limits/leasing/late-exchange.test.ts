import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../core/utc-day.ts';
import { setUp } from './fixtures.test.ts';

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

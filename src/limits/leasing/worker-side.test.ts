import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reservation } from '../../core/ports.ts';
import { setUp } from './fixtures.test.ts';

test('of two calls at once one asks the store, for both', async (t) => {
  const { worker, exchanges } = await setUp(t, { requestsPerMinute: 200, tokensPerMinute: 200_000 });
  const one = worker('one');
  await Promise.all([one.reserve(100), one.reserve(100)]);
  assert.equal(exchanges.count, 1);
});

test('what a call used, and no more, counts at once in what the key is told', async (t) => {
  const { worker } = await setUp(t, { tokensPerMinute: 200_000 });
  const one = worker('one');
  await one.reserve(100);
  const remaining = () => one.limiter.state(one.key).remainingTokens;
  const before = remaining();
  now(one.reserve(300)).settle(50, 0n);
  assert.equal(before - remaining(), 50);
  now(one.reserve(10)).settle(90, 0n);
  assert.equal(before - remaining(), 140);
});

test('what other workers used is told after two seconds', async (t) => {
  const { worker, clock } = await setUp(t, { tokensPerMinute: 6_000 });
  const [one, other] = [worker('one'), worker('other')];
  await one.reserve(0);
  const remaining = () => one.limiter.state(one.key).remainingTokens;
  (await other.reserve(3_000)).settle(3_000, 0n);
  clock.time += 2_000;
  assert.ok(remaining() > 5_000, `${remaining()} before`);
  clock.time += 1;
  // What is told now is from before, and the store is asked behind it.
  remaining();
  for (let turns = 0; turns < 50 && remaining() > 4_000; turns += 1) await turn();
  assert.ok(remaining() <= 3_300, `${remaining()} after`);
});

test('calls that end together are reported together', async (t) => {
  const { worker, exchanges } = await setUp(t, { tokensPerMinute: 200_000 });
  const one = worker('one');
  const open = [];
  for (let call = 0; call < 5; call += 1) open.push(await one.reserve(20_000));
  await turn();
  const before = exchanges.count;
  for (const each of open) each.settle(0, 0n);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  assert.equal(exchanges.count, before + 1);
});

test('a request that is cancelled is free for the other workers at once', async (t) => {
  const { worker } = await setUp(t, { requestsPerMinute: 2 });
  const [one, other] = [worker('one'), worker('other')];
  (await one.reserve(0)).cancel();
  await turn();
  for (let call = 0; call < 2; call += 1) await other.reserve(0);
  await assert.rejects(async () => other.reserve(0), { kind: 'rate_limit_exceeded' });
});

test('a key that was just let in is not idle, whenever its last call ended', async (t) => {
  const { worker, clock } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one');
  (await one.reserve(10)).settle(10, 0n);
  clock.time += 999;
  now(one.reserve(10));
  clock.time += 1;
  await one.limiter.returnIdle();
  now(one.reserve(10));
});

test('of an open call that holds nothing more, and of a key whose leases went back, nothing is reported again', async (t) => {
  const { worker, clock, exchanges } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one');
  const open = await one.reserve(0);
  clock.time += 1_000;
  await one.limiter.returnIdle();
  const once = exchanges.count;
  await one.limiter.returnIdle();
  assert.equal(exchanges.count, once);
  open.settle(0, 0n);
  clock.time += 1_000;
  await one.limiter.returnIdle();
  const all = exchanges.count;
  clock.time += 1_000;
  await one.limiter.returnIdle();
  assert.equal(exchanges.count, all);
});

test('what a worker holds of a key is kept, however many others come', async (t) => {
  const { worker, exchanges } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one', { maxKeys: 3 });
  (await one.reserve(0)).settle(0, 0n);
  for (let other = 0; other < 30; other += 1) {
    const as = { ...one.key, id: `other_${other}`, requestsPerMinute: 5, tokensPerMinute: 5 };
    (await one.reserve(0, 0n, undefined, as)).settle(0, 0n);
    await turn();
  }
  const before = exchanges.count;
  now(one.reserve(0));
  assert.equal(exchanges.count, before);
});

test('a key that may more than before is leased more', async (t) => {
  const { worker, exchanges } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one');
  await one.reserve(0);
  const more = { ...one.key, requestsPerMinute: 2_000 };
  for (let call = 0; call < 11; call += 1) await one.reserve(0, 0n, undefined, more);
  const before = exchanges.count;
  for (let call = 0; call < 90; call += 1) now(one.reserve(0, 0n, undefined, more));
  assert.equal(exchanges.count, before);
});

function now(reservation: Reservation | Promise<Reservation>): Reservation {
  assert.ok(!(reservation instanceof Promise));
  return reservation;
}

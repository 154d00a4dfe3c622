import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reservation } from '../../core/ports.ts';
import { setUp } from './fixtures.test.ts';
import { blocksOf } from './holding.ts';
import { TRUST_MS } from './leasing-limiter.ts';

test('a block is a tenth of a limit divided by the workers', () => {
  assert.deepEqual(blocksOf(600, 60_000, 1_000n, 2), {
    requests: 30n,
    tokens: 3_000n,
    spend: 50n,
  });
  assert.deepEqual(blocksOf(5, 10, 0n, 4), { requests: 0n, tokens: 0n, spend: 0n });
});

test('the first call waits for a lease; those that it covers wait for nothing and ask no storage', async (t) => {
  const { worker, exchanges } = await setUp(t, { requestsPerMinute: 200, tokensPerMinute: 200_000 });
  const one = worker('one');
  assert.ok(one.reserve(100) instanceof Promise);
  await turn();
  assert.equal(exchanges.count, 1);
  for (let call = 0; call < 10; call += 1) now(one.reserve(100)).settle(50, 0n);
  assert.equal(exchanges.count, 1);
  assert.ok(one.reserve(100) instanceof Promise, 'the block of ten requests is used up');
});

test('what one has told is seen by the other, and refused by it', async (t) => {
  const { worker, clock } = await setUp(t, { requestsPerMinute: 2 });
  const [one, other] = [worker('one'), worker('other')];
  await one.reserve(0);
  await other.reserve(0);
  await assert.rejects(async () => other.reserve(0), { kind: 'rate_limit_exceeded', retryAfterMs: 30_000 });
  assert.throws(() => other.reserve(0), { kind: 'rate_limit_exceeded' }, 'known for a moment');
  assert.equal(other.limiter.state(other.key).remainingRequests, 0);
  clock.time += 30_000;
  await one.reserve(0);
});

test('a refusal is asked for anew after a moment', async (t) => {
  const { worker, clock, exchanges } = await setUp(t, { tokensPerMinute: 1_000 });
  const [one, other] = [worker('one'), worker('other')];
  const large = await one.reserve(900);
  await assert.rejects(async () => other.reserve(500), { kind: 'token_limit_exceeded' });
  large.settle(0, 0n);
  await turn();
  const before = exchanges.count;
  assert.throws(() => other.reserve(500), { kind: 'token_limit_exceeded' });
  assert.equal(exchanges.count, before);
  clock.time += TRUST_MS;
  await other.reserve(500);
});

test('no settle puts a key into debt by more than a minute of its limit, for any worker', async (t) => {
  const { worker, clock } = await setUp(t, { tokensPerMinute: 1_000 });
  const [one, other] = [worker('one'), worker('other')];
  (await one.reserve(400)).settle(1e12, 0n);
  await turn();
  clock.time += 119_000;
  for (const each of [one, other]) {
    await assert.rejects(async () => each.reserve(1_000), { kind: 'token_limit_exceeded', retryAfterMs: 1_000 });
  }
  clock.time += 1_000;
  await other.reserve(1_000);
});

test('a call that no minute has room for is refused without asking', async (t) => {
  const { worker, exchanges } = await setUp(t, { tokensPerMinute: 1_000 });
  assert.throws(() => worker('one').reserve(1_001), { kind: 'token_limit_unreachable' });
  assert.equal(exchanges.count, 0);
});

test('unused leases go back after a second without a call, and all of them at the end', async (t) => {
  const { worker, clock, leases } = await setUp(t, { requestsPerMinute: 200 });
  const one = worker('one');
  (await one.reserve(10)).settle(10, 0n);
  clock.time += 999;
  await one.limiter.returnIdle();
  assert.deepEqual(await leases.heldBy('one'), ['key_1']);
  clock.time += 1;
  await one.limiter.returnIdle();
  assert.deepEqual(await leases.heldBy('one'), []);
  (await one.reserve(10)).settle(10, 0n);
  await one.limiter.close();
  assert.deepEqual(await leases.heldBy('one'), []);
});

test('calls that are refused keep nothing from the calls of others', async (t) => {
  const { worker, clock, leases } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  (await one.reserve(0, 100n)).settle(0, 0n);
  for (let refused = 0; refused < 4; refused += 1) {
    await assert.rejects(async () => one.reserve(0, 2_000n), { kind: 'insufficient_quota' });
    clock.time += 250;
  }
  await one.limiter.returnIdle();
  assert.deepEqual(await leases.heldBy('one'), []);
  await other.reserve(0, 1_000n);
});

test('what a dead worker held is free at once, and a spend limit is read anew once nobody counts on it', async (t) => {
  const { worker, clock, leases } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  (await one.reserve(0, 100n)).settle(0, 100n);
  (await other.reserve(0, 100n)).settle(0, 100n);
  await leases.end('one');
  // Of 1,000 the other has spent 100. The ledger has no call of the dead one, so nothing that it told counts.
  clock.time += TRUST_MS;
  await assert.rejects(async () => other.reserve(0, 901n), { kind: 'insufficient_quota', message: /0000009 left/ });
  clock.time += 1_000;
  await other.limiter.returnIdle();
  // Nothing was settled in the ledger here, so all of it is there.
  await other.reserve(0, 1_000n);
});

test('a day that a wrong clock began ends when the clock is set right', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'day' } });
  const one = worker('one');
  clock.ahead = 3650 * 86_400_000;
  (await one.reserve(0, 10n)).settle(0, 10n);
  clock.ahead = 0;
  (await one.reserve(0, 1_000n)).settle(0, 1_000n);
  clock.ahead = 3_600_000;
  await assert.rejects(async () => one.reserve(0, 1n), { kind: 'insufficient_quota' });
});

test('a block of a day that a wrong clock began is none of today', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'day' } });
  const one = worker('one');
  clock.ahead = 3650 * 86_400_000;
  (await one.reserve(0, 10n)).settle(0, 10n);
  clock.ahead = 0;
  assert(one.reserve(0, 10n) instanceof Promise);
});

test('a model without a price is refused, and a reservation is settled once', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  assert.throws(() => one.reserve(1, null), { kind: 'model_unpriced' });
  const reservation = await one.reserve(1, 1n);
  reservation.settle(1, 1n);
  assert.throws(() => reservation.settle(1, 1n), { message: 'A reservation was settled twice.' });
});

for (const [requestsPerMinute, of] of [
  [2, 'was asked of the store'],
  [60, 'a lease covered'],
] as const) {
  test(`a reservation that is cancelled gives all back to every worker: one that ${of}`, async (t) => {
    const { worker } = await setUp(t, { requestsPerMinute, spendLimit: { amount: 1_000n, per: 'life' } });
    const [one, other] = [worker('one'), worker('other')];
    (await one.reserve(0, 10n)).settle(0, 0n);
    const cancelled = await one.reserve(100, 10n);
    cancelled.cancel();
    assert.throws(() => cancelled.cancel(), { message: 'A reservation was settled twice.' });
    assert.equal(one.limiter.state(one.key).remainingRequests, requestsPerMinute - 1);
    await one.limiter.close();
    for (let left = requestsPerMinute - 1; left > 0; left -= 1) await other.reserve(0);
    await assert.rejects(async () => other.reserve(0), { kind: 'rate_limit_exceeded' });
  });
}

test('who has overdrawn money and tokens may still ask what needs neither', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' }, tokensPerMinute: 100 });
  const one = worker('one');
  (await one.reserve(50, 1_000n)).settle(5_000, 9_000n);
  await turn();
  for (const asked of [one, worker('other')]) {
    (await asked.reserve(0, 0n)).settle(0, 0n);
    await assert.rejects(async () => asked.reserve(0, 1n), { kind: 'insufficient_quota' });
    await assert.rejects(async () => asked.reserve(1, 0n), { kind: 'token_limit_exceeded' });
  }
});

test('calls that a lease covers count at once in what the key is told', async (t) => {
  const { worker } = await setUp(t, { requestsPerMinute: 200, tokensPerMinute: 200_000 });
  const one = worker('one');
  await one.reserve(100);
  const before = one.limiter.state(one.key);
  now(one.reserve(300));
  const after = one.limiter.state(one.key);
  assert.equal(before.remainingRequests - after.remainingRequests, 1);
  assert.equal(before.remainingTokens - after.remainingTokens, 300);
});

test('tokens that calls use of a lease are taken from it', async (t) => {
  const { worker } = await setUp(t, { tokensPerMinute: 2_000 });
  const one = worker('one');
  await one.reserve(10);
  // Of the block of 100.
  now(one.reserve(60));
  assert.ok(one.reserve(60) instanceof Promise);
});

test('what an open call holds is free for nobody, though no other call came for a second', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  const open = await one.reserve(0, 100n);
  clock.time += 1_000;
  await one.limiter.returnIdle();
  await assert.rejects(async () => other.reserve(0, 901n), { kind: 'insufficient_quota', message: /0000009 left/ });
  open.settle(0, 40n);
  await turn();
  clock.time += TRUST_MS;
  await other.reserve(0, 960n);
});

test('calls that a lease covers count at once in what a refusal says is left', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  await one.reserve(0, 100n);
  await assert.rejects(async () => one.reserve(0, 901n), { kind: 'insufficient_quota', message: /0000009 left/ });
  now(one.reserve(0, 20n));
  assert.throws(() => one.reserve(0, 901n), { kind: 'insufficient_quota', message: /00000088 left/ });
});

test('what another worker holds of a spend limit is not free', async (t) => {
  const { worker, exchanges } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  await one.reserve(0, 1n);
  // Beside it, a block of 50.
  await assert.rejects(async () => other.reserve(0, 950n), { kind: 'insufficient_quota', message: /000949 left/ });
  await worker('third').reserve(0, 949n);
  const before = exchanges.count;
  now(one.reserve(0, 50n));
  assert.equal(exchanges.count, before);
});

test('what a call counts, and no more or less, is taken from what its worker holds', async (t) => {
  const { worker, exchanges } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  (await one.reserve(0, 100n)).settle(0, 130n);
  // Of the block of 50.
  const before = exchanges.count;
  now(one.reserve(0, 15n)).settle(0, 5n);
  now(one.reserve(0, 15n));
  assert.equal(exchanges.count, before);
  assert.ok(one.reserve(0, 1n) instanceof Promise);
});

test('what a call counts less than was held for it is free for the others, and no more', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  (await one.reserve(0, 900n)).settle(0, 40n);
  await turn();
  // Less the block of 50.
  await assert.rejects(async () => other.reserve(0, 911n), { kind: 'insufficient_quota', message: /00000091 left/ });
  await worker('third').reserve(0, 910n);
});

test('what a call gives back ends at once the refusals of its own worker, and what it used does not', async (t) => {
  const { worker } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const one = worker('one');
  for (const [counted, fits] of [
    [300n, true],
    [600n, false],
  ] as const) {
    const open = await one.reserve(0, 600n);
    await assert.rejects(async () => one.reserve(0, 700n), { kind: 'insufficient_quota' });
    open.settle(0, counted);
    if (fits) (await one.reserve(0, 700n)).settle(0, 0n);
    else assert.throws(() => one.reserve(0, 700n), { kind: 'insufficient_quota' });
  }
});

test('a call that names no maximum is let in where its least is free, and no worker lets in another until it is settled', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 1_000n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  await assert.rejects(async () => one.reserve(0, 1_100n), { kind: 'insufficient_quota' });
  clock.time += TRUST_MS;
  const open = await one.reserve(0, 1_100n, 600n);
  for (const each of [one, other]) {
    await assert.rejects(async () => each.reserve(0, 1n), { kind: 'insufficient_quota', message: /has \$0 left/ });
    await assert.rejects(async () => each.reserve(0, 1_100n, 1n), { kind: 'insufficient_quota' });
  }
  open.settle(0, 300n);
  await turn();
  clock.time += TRUST_MS;
  const last = await other.reserve(0, 1_100n, 600n);
  last.settle(0, 1_100n);
  await turn();
  clock.time += TRUST_MS;
  for (const each of [one, other]) {
    await assert.rejects(async () => each.reserve(0, 1_100n, 1n), { kind: 'insufficient_quota' });
  }
});

test('what comes back of others goes first to the call that took more than was free', async (t) => {
  const { worker, clock } = await setUp(t, { spendLimit: { amount: 10n, per: 'life' } });
  const [one, other] = [worker('one'), worker('other')];
  const first = await one.reserve(0, 6n, 1n);
  await other.reserve(0, 6n, 1n);
  first.settle(0, 3n);
  await turn();
  clock.time += TRUST_MS;
  for (const each of [one, other]) {
    await assert.rejects(async () => each.reserve(0, 2n), { message: /has \$0\.000000001 left/ });
  }
  clock.time += TRUST_MS;
  await one.reserve(0, 1n);
});

for (const when of ['before', 'after'] as const) {
  test(`a store that fails is a 503; what it granted nobody hears of is given back (it fails ${when} the exchange)`, async (t) => {
    const { worker, leases } = await setUp(t, { requestsPerMinute: 2, spendLimit: { amount: 1_000n, per: 'life' } });
    let faults = 2;
    const one = worker('one', { fault: () => (faults-- > 0 ? when : null) });
    await assert.rejects(async () => one.reserve(0, 600n), { kind: 'storage_unavailable' });
    await assert.rejects(async () => one.reserve(0, 600n), { kind: 'storage_unavailable' });
    (await one.reserve(0, 1_000n)).settle(0, 0n);
    await one.reserve(0, 1_000n);
    await assert.rejects(async () => one.reserve(0), { kind: 'rate_limit_exceeded' });
    await one.limiter.close();
    assert.deepEqual(await leases.heldBy('one'), ['key_1'], 'of the open call');
  });
}

test('what a worker keeps is taken while the store does not answer, and nothing more of its lease', async (t) => {
  const { worker, clock } = await setUp(t, { requestsPerMinute: 200, spendLimit: { amount: 1_000n, per: 'life' } });
  let isAway = false;
  const one = worker('one', { fault: () => (isAway ? 'after' : null) });
  const large = await one.reserve(0, 400n);
  isAway = true;
  // 330 come back; it keeps a block of 50, and the store has heard of the rest.
  large.settle(0, 20n);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  now(one.reserve(0, 50n)).settle(0, 10n);
  now(one.reserve(0, 40n));
  await assert.rejects(async () => one.reserve(0, 1n), { kind: 'storage_unavailable' });
  isAway = false;
  await one.limiter.returnIdle();
  clock.time += TRUST_MS;
  await worker('other').reserve(0, 880n);
  await assert.rejects(async () => one.reserve(0, 51n), { kind: 'insufficient_quota' });
});

function now(reservation: Reservation | Promise<Reservation>): Reservation {
  assert.ok(!(reservation instanceof Promise));
  return reservation;
}

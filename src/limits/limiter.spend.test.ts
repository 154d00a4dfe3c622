import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetUsedUp } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Limiter, Reservation } from '../core/ports.ts';
import type { ApiKey, SpendLimit } from '../core/records.ts';
import { plainKey } from '../testing/plain-key.ts';
import { createLimiter } from './limiter.ts';

const DOLLAR = 1_000_000_000n;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const MIDNIGHT = Date.parse('2026-11-22T00:00:00Z');
const MONDAY = Date.parse('2026-11-23T00:00:00Z');
const DECEMBER = Date.parse('2026-12-01T00:00:00Z');

const READS: readonly [per: SpendLimit['per'], sinceDay: string | null][] = [
  ['life', null],
  ['day', '2026-11-21'],
  ['week', '2026-11-16'],
  ['month', '2026-11-01'],
];
for (const [per, sinceDay] of READS) {
  test(`per ${per}: spend is read once since ${sinceDay}, and every later call is answered at once`, async () => {
    const { reserve, reads } = setUp({ per });
    const first = reserve(1n);
    assert.ok(first instanceof Promise);
    (await first).settle(1, 1n);
    for (let calls = 0; calls < 3; calls += 1) now(reserve(1n)).settle(1, 1n);
    assert.deepEqual(reads, [['key_1', sinceDay]]);
  });
}

for (const [per, wait] of [
  ['day', MIDNIGHT - NOON],
  ['week', MONDAY - NOON],
  ['month', DECEMBER - NOON],
  ['life', 86_400_000],
] as const) {
  test(`per ${per}: a refusal says to come back in ${wait} ms`, async () => {
    const { reserve } = setUp({ per, amount: 1n });
    (await reserve(1n)).settle(1, 1n);
    assert.throws(() => reserve(1n), { kind: 'insufficient_quota', retryable: false, retryAfterMs: wait });
  });
}

test('calls that come while spend is read wait for the same read', async () => {
  const { reserve, reads } = setUp({ per: 'life', amount: 2n });
  const calls = await Promise.allSettled([reserve(1n), reserve(1n), reserve(1n)]);
  assert.equal(reads.length, 1);
  assert.deepEqual(
    calls.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
});

test('who has overdrawn money and tokens may still ask what needs neither', async () => {
  const { limiter, key, reserve } = setUp({ per: 'life', amount: 1n });
  (await reserve(1n)).settle(5_000, 9n);
  now(limiter.reserve(key, { tokens: 0, cost: 0n, model: '' })).settle(0, 0n);
  assert.throws(() => limiter.reserve(key, { tokens: 0, cost: 1n, model: '' }), { kind: 'insufficient_quota' });
  assert.throws(() => limiter.reserve(key, { tokens: 1, cost: 0n, model: '' }), { kind: 'token_limit_exceeded' });
});

test('what was spent, what open calls hold and the highest cost of this one may reach the limit and not pass it', async () => {
  const { reserve, stored } = setUp({ per: 'month', amount: 5n * DOLLAR });
  stored.spent = 2n * DOLLAR;
  const open = await reserve(2n * DOLLAR);
  assert.throws(() => reserve(DOLLAR + 1n), {
    kind: 'insufficient_quota',
    status: 429,
    message:
      'The spend limit of this API key has $1 left of $5 per month (UTC), with open calls counted at their highest cost; ' +
      'this call may cost up to $1.000000001. It resets at 2026-12-01T00:00:00.000Z.',
  });
  const last = now(reserve(DOLLAR));
  assert.throws(() => reserve(1n), { kind: 'insufficient_quota', message: /has \$0 left/ });
  open.settle(1, DOLLAR / 2n);
  last.settle(1, 0n);
  assert.throws(() => reserve(3n * DOLLAR), { message: /has \$2\.5 left/ });
  now(reserve(2n * DOLLAR + DOLLAR / 2n));
});

test('a call that names no maximum is let in where its least is left, and no other beside it until it is settled', async () => {
  const { limiter, key, reserve } = setUp({ per: 'life', amount: 10n });
  (await reserve(5n)).settle(1, 5n);
  const unnamed = { ...call(8n), leastCost: 2n };
  assert.throws(() => reserve(8n), { kind: 'insufficient_quota' }, 'whoever names a maximum is held to it');
  const open = now(limiter.reserve(key, unnamed));
  for (const refused of [unnamed, call(1n)]) {
    assert.throws(() => limiter.reserve(key, refused), { kind: 'insufficient_quota', message: /has \$0 left/ });
  }
  open.settle(1, 3n);
  assert.throws(() => reserve(3n), { kind: 'insufficient_quota' });
  now(limiter.reserve(key, unnamed)).settle(1, 8n);
  assert.throws(() => limiter.reserve(key, unnamed), { kind: 'insufficient_quota' });
});

test('what comes back of others goes first to the call that took more than was left', async () => {
  const { limiter, key, reserve } = setUp({ per: 'life', amount: 10n });
  const unnamed = { ...call(6n), leastCost: 1n };
  const first = await limiter.reserve(key, unnamed);
  const second = now(limiter.reserve(key, unnamed));
  first.settle(1, 3n);
  assert.throws(() => reserve(2n), { message: /has \$0\.000000001 left/ }, 'the second may still cost 6 of the 7 left');
  now(reserve(1n)).settle(1, 1n);
  second.settle(1, 6n);
  assert.throws(() => reserve(1n), { message: /has \$0 left/ });
});

test('the refusal of a call that names no maximum says what must be left at least', async () => {
  const { limiter, key, reserve } = setUp({ per: 'life', amount: DOLLAR });
  (await reserve(DOLLAR)).settle(1, DOLLAR - 1n);
  assert.throws(() => limiter.reserve(key, { ...call(2n * DOLLAR), leastCost: 2n }), {
    message:
      'The spend limit of this API key has $0.000000001 left of $1 in all, with open calls counted at their highest ' +
      'cost; this call may cost up to $2 and sets no output limit; at least $0.000000002 must be left for it.',
  });
});

test('a key with a spend limit has its rates too', async () => {
  const { limiter, key } = setUp({ per: 'life' });
  const reserveOf = (tokens: number) => limiter.reserve(key, { ...call(1n), tokens });
  await assert.rejects(async () => reserveOf(1_001), { kind: 'token_limit_unreachable' });
  now(reserveOf(900)).settle(900, 1n);
  assert.throws(() => reserveOf(101), { kind: 'token_limit_exceeded' });
  for (let calls = 1; calls < 600; calls += 1) now(reserveOf(0)).settle(0, 1n);
  assert.throws(() => reserveOf(0), { kind: 'rate_limit_exceeded' });
});

test('a call refused for its cost takes nothing from the buckets', async () => {
  const { reserve, limiter, key } = setUp({ per: 'day', amount: 5n });
  (await reserve(1n)).settle(10, 1n);
  const before = limiter.state(key);
  assert.throws(() => reserve(5n), { kind: 'insufficient_quota', message: /per day \(UTC\)/ });
  assert.deepEqual(limiter.state(key), before);
});

test('a cost above the reserved one counts in full, and what is left is never shown below zero', async () => {
  const { reserve } = setUp({ per: 'life', amount: 10n });
  (await reserve(5n)).settle(1, 12n);
  assert.throws(() => reserve(1n), {
    kind: 'insufficient_quota',
    message: /has \$0 left of \$0\.00000001 in all/,
  });
});

test('a model without a price is refused before anything is read', () => {
  const { reserve, reads } = setUp({ per: 'life' });
  assert.throws(() => reserve(null), { kind: 'model_unpriced', status: 403, param: 'model', message: /`lab-small`/ });
  assert.deepEqual(reads, []);
});

for (const [per, start, end] of [
  ['day', NOON, MIDNIGHT],
  ['week', NOON, MONDAY],
  ['month', NOON, DECEMBER],
] as const) {
  test(`per ${per}: a new period begins at its UTC start, and a call settles into the period it began in`, async () => {
    const { reserve, reads, clock } = setUp({ per, amount: 10n });
    clock.time = start;
    const late = await reserve(10n);
    clock.time = end - 1;
    assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
    clock.time = end;
    const early = await reserve(10n);
    assert.equal(reads.length, 2);
    late.settle(1, 10n);
    assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
    early.settle(1, 4n);
    now(reserve(6n));
  });
}

for (const per of ['day', 'month'] as const) {
  test(`per ${per}: a period that a wrong clock began ends when the clock is set right`, async () => {
    const { reserve, reads, clock } = setUp({ per, amount: 10n });
    clock.time = NOON + 3650 * 86_400_000;
    (await reserve(10n)).settle(1, 10n);
    assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
    clock.time = NOON;
    const late = await reserve(10n);
    assert.equal(reads.length, 2);
    assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
    late.settle(1, 10n);
    clock.time = NOON - 3_600_000;
    assert.throws(
      () => reserve(1n),
      { kind: 'insufficient_quota' },
      'within a period the clock may be set as it likes',
    );
  });
}

test('a period that ends while its spend is read is not the one that counts', async () => {
  const { reserve, reads, clock } = setUp({ per: 'day' });
  clock.time = MIDNIGHT - 1;
  const call = reserve(1n);
  clock.time = MIDNIGHT;
  await call;
  assert.deepEqual(reads, [
    ['key_1', '2026-11-21'],
    ['key_1', '2026-11-22'],
  ]);
});

test('a changed limit holds for the next call, and a changed period is read anew', async () => {
  const { limiter, key, reads } = setUp({ per: 'day', amount: 10n });
  const reserveUnder = (spendLimit: SpendLimit) => limiter.reserve({ ...key, spendLimit }, call(8n));
  (await reserveUnder({ per: 'day', amount: 10n })).settle(1, 8n);
  assert.throws(() => reserveUnder({ per: 'day', amount: 15n }), { kind: 'insufficient_quota' });
  const open = now(reserveUnder({ per: 'day', amount: 16n }));
  await assert.rejects(
    async () => reserveUnder({ per: 'life', amount: 15n }),
    BudgetUsedUp,
    'a call that is open stays held',
  );
  now(reserveUnder({ per: 'life', amount: 16n })).settle(1, 0n);
  assert.deepEqual(reads, [
    ['key_1', '2026-11-21'],
    ['key_1', null],
  ]);
  open.settle(1, 3n);
  assert.throws(() => reserveUnder({ per: 'life', amount: 10n }), { message: /has \$0\.000000007 left/ });
});

test('a store that fails is a 503 for all who wait, and the next call tries again', async () => {
  const { reserve, reads, stored } = setUp({ per: 'life' });
  stored.failure = new Error('disk full');
  const calls = await Promise.allSettled([reserve(1n), reserve(1n)]);
  for (const refusal of calls) {
    assert.equal(refusal.status, 'rejected');
    assert.ok(refusal.reason instanceof GatewayError);
    assert.equal(refusal.reason.kind, 'storage_unavailable');
    assert.equal(refusal.reason.cause, stored.failure);
  }
  assert.equal(reads.length, 1);
  stored.failure = null;
  await reserve(1n);
  assert.equal(reads.length, 2);
});

test('a limit that was taken away and is set again begins with what was spent meanwhile, in open calls too', async () => {
  const { limiter, key, reserve, stored } = setUp({ per: 'month', amount: 10n });
  (await reserve(4n)).settle(1, 4n);
  const free = { ...key, spendLimit: null };
  now(limiter.reserve(free, call(null))).settle(1, 3n);
  const open = now(limiter.reserve(free, call(null)));
  stored.spent = 7n;
  const mine = await reserve(3n);
  assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
  mine.settle(1, 0n);
  open.settle(1, 2n);
  assert.throws(() => reserve(2n), { kind: 'insufficient_quota' });
  now(reserve(1n));
});

test('however many keys come and go, no more than the most are remembered', async () => {
  const { limiter, key, reads, clock } = setUp({ per: 'life' }, 10);
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 50; index += 1) {
      (await limiter.reserve({ ...key, id: `key_${index}` }, call(1n))).settle(10, 1n);
      clock.uptime += 60_000;
    }
  }
  assert.equal(reads.length, 100, 'each was forgotten before it came again');
});

test('a key with an open call is never forgotten', async () => {
  const { limiter, key, reads, reserve, clock } = setUp({ per: 'life', amount: 10n }, 2);
  await reserve(10n);
  for (let index = 0; index < 50; index += 1) {
    clock.uptime += 60_000;
    (await limiter.reserve({ ...key, id: `other_${index}` }, call(1n))).settle(1, 1n);
  }
  assert.throws(() => reserve(1n), { kind: 'insufficient_quota' });
  assert.equal(reads.filter(([id]) => id === 'key_1').length, 1);
});

/** A limiter whose key has this spend limit; `reserve` reserves that cost for it, `reads` is what was asked of the store. */
function setUp(spendLimit: { per: SpendLimit['per']; amount?: NanoDollars }, maxKeys = 100) {
  const clock = { time: NOON, uptime: 0, now: () => clock.time, monotonic: () => clock.uptime };
  const stored: { spent: NanoDollars; failure: Error | null } = { spent: 0n, failure: null };
  const reads: [keyId: string, sinceDay: string | null][] = [];
  const spend = {
    async spent(keyId: string, sinceDay: string | null) {
      reads.push([keyId, sinceDay]);
      if (stored.failure !== null) throw stored.failure;
      return stored.spent;
    },
  };
  const defaults = () => ({ requestsPerMinute: 600, tokensPerMinute: 1_000 });
  const limiter: Limiter = createLimiter({ clock, spend, defaults, maxKeys });
  const key: ApiKey = {
    ...plainKey,
    spendLimit: { amount: 100n * DOLLAR, ...spendLimit },
  };
  const reserve = (cost: NanoDollars | null) => limiter.reserve(key, call(cost));
  return { limiter, key, reserve, reads, clock, stored };
}

function call(cost: NanoDollars | null) {
  return { tokens: 10, cost, model: 'lab-small' };
}

/** A warm key is answered without a promise. */
function now(reservation: Reservation | Promise<Reservation>): Reservation {
  assert.ok(!(reservation instanceof Promise));
  return reservation;
}

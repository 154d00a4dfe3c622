import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Limiter, Reservation } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import { plainKey } from '../testing/plain-key.ts';
import { createLimiter } from './limiter.ts';

test('a key may make its limit of requests at once, then one each time one has come back', () => {
  const { reserve, clock } = setUp({ requestsPerMinute: 60 });
  for (let calls = 0; calls < 60; calls += 1) reserve(0);
  assert.throws(() => reserve(0), {
    kind: 'rate_limit_exceeded',
    status: 429,
    retryAfterMs: 1_000,
    message: 'This API key may make 60 requests per minute. Retry in 1000 ms.',
  });
  clock.uptime += 999;
  assert.throws(() => reserve(0), { kind: 'rate_limit_exceeded', retryAfterMs: 1 });
  clock.uptime += 1;
  reserve(0);
  assert.throws(() => reserve(0), { retryAfterMs: 1_000 });
});

test('a call takes its tokens, and the wait is exactly until there are enough', () => {
  const { reserve, clock } = setUp({ tokensPerMinute: 7_000 });
  reserve(6_500);
  assert.throws(() => reserve(1_200), {
    kind: 'token_limit_exceeded',
    type: 'tokens',
    retryAfterMs: 6_000,
    message:
      'This API key may use 7000 tokens per minute and has 500 left; this call needs up to 1200, prompt and largest ' +
      'output together. Retry in 6000 ms.',
  });
  clock.uptime += 5_999;
  assert.throws(() => reserve(1_200), { retryAfterMs: 1 });
  clock.uptime += 1;
  reserve(1_200);
});

test('a call larger than the whole bucket is told so, and to look again in a minute', () => {
  const { reserve, limiter, key } = setUp({ tokensPerMinute: 1_000 });
  assert.throws(() => reserve(1_001), {
    kind: 'token_limit_unreachable',
    retryable: false,
    retryAfterMs: 60_000,
    message: /may use 1000 tokens per minute; this call needs up to 1001,.* so it is always refused/,
  });
  assert.equal(limiter.state(key).remainingRequests, 600);
  reserve(1_000);
});

test('where both are short the longer wait is named, and is enough for both', () => {
  const { reserve, clock } = setUp({ requestsPerMinute: 1, tokensPerMinute: 1_000 });
  reserve(1_000);
  clock.uptime += 30_000;
  assert.throws(() => reserve(501), { kind: 'rate_limit_exceeded', retryAfterMs: 30_000 });
  assert.throws(() => reserve(1_000), { kind: 'rate_limit_exceeded', retryAfterMs: 30_000 });
  clock.uptime += 30_000;
  reserve(1_000).settle(1_500, 0n);
  assert.throws(() => reserve(1_000), { kind: 'token_limit_exceeded', retryAfterMs: 90_000 });
  clock.uptime += 90_000;
  reserve(1_000);
});

test('a refused call takes nothing', () => {
  const { reserve, limiter, key } = setUp({ requestsPerMinute: 2, tokensPerMinute: 100 });
  reserve(60);
  const before = limiter.state(key);
  assert.throws(() => reserve(41), { kind: 'token_limit_exceeded' });
  assert.deepEqual(limiter.state(key), before);
  reserve(1);
  const empty = limiter.state(key);
  assert.throws(() => reserve(1), { kind: 'rate_limit_exceeded' });
  assert.deepEqual(limiter.state(key), empty);
});

const SETTLED: readonly [what: string, used: number, remainingTokens: number][] = [
  ['unused tokens go back', 100, 900],
  ['all of them, of a call that used none', 0, 1_000],
  ['none, of a call that used them all', 400, 600],
  ['more is taken of a call that used more', 700, 300],
  ['even into debt, which shows as none left', 1_300, 0],
];
for (const [what, used, remainingTokens] of SETTLED) {
  test(`settling: ${what}`, () => {
    const { reserve, limiter, key } = setUp({ tokensPerMinute: 1_000 });
    reserve(400).settle(used, 0n);
    assert.equal(limiter.state(key).remainingTokens, remainingTokens);
    assert.equal(limiter.state(key).resetTokensMs, used * 60);
    assert.equal(limiter.state(key).remainingRequests, 599);
  });
}

test('no settle puts a key into debt by more than a minute of its limit', () => {
  const { reserve, limiter, key, clock } = setUp({ tokensPerMinute: 1_000 });
  reserve(400).settle(1e12, 0n);
  assert.equal(limiter.state(key).resetTokensMs, 120_000);
  clock.uptime += 119_999;
  assert.throws(() => reserve(1_000), { kind: 'token_limit_exceeded', retryAfterMs: 1 });
  clock.uptime += 1;
  reserve(1_000);
});

test('what goes back never overfills a bucket', () => {
  const { reserve, limiter, key, clock } = setUp({ tokensPerMinute: 1_000 });
  const call = reserve(1_000);
  clock.uptime += 60_000;
  call.settle(0, 0n);
  assert.equal(limiter.state(key).remainingTokens, 1_000);
});

test('a reservation settled twice is a fault, and changes nothing', () => {
  const { reserve, limiter, key } = setUp({ tokensPerMinute: 1_000 });
  const call = reserve(400);
  call.settle(100, 0n);
  assert.throws(() => call.settle(100, 0n), { message: 'A reservation was settled twice.' });
  assert.equal(limiter.state(key).remainingTokens, 900);
});

test('the state of a key that has made no call is full', () => {
  const { limiter, key } = setUp({});
  assert.deepEqual(limiter.state(key), {
    limitRequests: 600,
    limitTokens: 2_000_000,
    remainingRequests: 600,
    remainingTokens: 2_000_000,
    resetRequestsMs: 0,
    resetTokensMs: 0,
  });
});

test('the state counts whole requests and tokens, and the time until both are full', () => {
  const { reserve, limiter, key, clock } = setUp({ requestsPerMinute: 60, tokensPerMinute: 6_000 });
  reserve(50);
  reserve(50);
  clock.uptime += 250;
  assert.deepEqual(limiter.state(key), {
    limitRequests: 60,
    limitTokens: 6_000,
    remainingRequests: 58,
    remainingTokens: 5_925,
    resetRequestsMs: 1_750,
    resetTokensMs: 750,
  });
});

test('a changed default holds for the next call, and what was used stays used', () => {
  const { reserve, limiter, key, defaults } = setUp({});
  reserve(1_000);
  defaults.tokensPerMinute = 1_500;
  defaults.requestsPerMinute = 2;
  assert.equal(limiter.state(key).remainingTokens, 500);
  assert.throws(() => reserve(501), { kind: 'token_limit_exceeded' });
  reserve(500);
  assert.throws(() => reserve(0), { kind: 'rate_limit_exceeded' });
  defaults.tokensPerMinute = 2_000;
  defaults.requestsPerMinute = 3;
  reserve(500);
});

test('keys do not share, and their own limits go before the defaults', () => {
  const { limiter, key } = setUp({ requestsPerMinute: 1 });
  void limiter.reserve(key, { tokens: 1, cost: null, model: 'echo' });
  void limiter.reserve({ ...key, id: 'key_2' }, { tokens: 1, cost: null, model: 'echo' });
  assert.equal(limiter.state(key).remainingRequests, 0);
  assert.equal(limiter.state({ ...key, id: 'key_3', requestsPerMinute: null }).limitRequests, 600);
});

test('a reservation that is cancelled gives its request and its tokens back, once', () => {
  const { reserve, limiter, key, clock } = setUp({ requestsPerMinute: 2, tokensPerMinute: 100 });
  const one = reserve(60);
  reserve(10).cancel();
  assert.deepEqual([limiter.state(key).remainingRequests, limiter.state(key).remainingTokens], [1, 40]);
  one.settle(60, 0n);
  assert.throws(() => one.cancel(), { message: 'A reservation was settled twice.' });
  assert.equal(limiter.state(key).remainingRequests, 1);
  const late = reserve(0);
  clock.uptime += 60_000;
  late.cancel();
  assert.equal(limiter.state(key).remainingRequests, 2, 'no more than the limit');
});

test('past the most keys, those with nothing to remember are dropped and no other', () => {
  const { limiter, key, clock } = setUp({ requestsPerMinute: 10, tokensPerMinute: 100 }, 3);
  const named = (id: string) => ({ ...key, id });
  const call = { tokens: 60, cost: null, model: 'echo' };
  const long = limiter.reserve(named('open'), call) as Reservation;
  (limiter.reserve(named('idle'), call) as Reservation).settle(100, 0n);
  clock.uptime += 60_000;
  (limiter.reserve(named('busy'), call) as Reservation).settle(50, 0n);
  for (const id of ['new_1', 'new_2', 'new_3']) void limiter.reserve(named(id), call);
  assert.equal(limiter.state(named('busy')).remainingTokens, 50);
  assert.equal(limiter.state(named('new_1')).remainingTokens, 40);
  long.settle(160, 0n);
  assert.equal(limiter.state(named('open')).remainingTokens, 0, 'the debt of a long call is remembered');
});

test('a key whose requests are back is remembered for its tokens, until these are back, too', () => {
  const { limiter, key, clock } = setUp({ requestsPerMinute: 1_000, tokensPerMinute: 100 }, 1);
  const call = { tokens: 60, cost: null, model: 'echo' };
  const named = (id: string) => ({ ...key, id });
  const open = limiter.reserve(named('one'), call) as Reservation;
  open.settle(60, 0n);
  clock.uptime += 1_000;
  void limiter.reserve(named('other'), call);
  assert.equal(limiter.state(named('one')).remainingTokens, 41);
});

test('past the most keys, one whose calls have all ended is dropped: its limits are put together anew', () => {
  const { limiter, key, clock } = setUp({ requestsPerMinute: 10, tokensPerMinute: 100 }, 1);
  const call = { tokens: 40, cost: null, model: 'echo' };
  let asked = 0;
  const watched: ApiKey = Object.defineProperty({ ...key }, 'product', {
    get() {
      asked += 1;
      return null;
    },
  });
  const reserve = (of: ApiKey) => limiter.reserve(of, call) as Reservation;
  const [one, other] = [reserve(watched), reserve(watched)];
  const first = asked;
  one.settle(40, 0n);
  clock.uptime += 60_000;
  reserve({ ...key, id: 'other_1' });
  reserve(watched).cancel();
  assert.equal(asked, first, 'a call is open still');
  other.cancel();
  clock.uptime += 60_000;
  reserve({ ...key, id: 'other_2' });
  reserve(watched);
  assert.ok(asked > first);
});

/** A limiter whose key has the limits given, and else the defaults; `reserve` reserves that many tokens for it. */
function setUp(limits: Partial<ApiKey>, maxKeys = 100) {
  const clock = { uptime: 5.5, now: () => 0, monotonic: () => clock.uptime };
  const defaults = { requestsPerMinute: 600, tokensPerMinute: 2_000_000 };
  const spend = { spent: () => assert.fail('a key without a spend limit needs none') };
  const limiter: Limiter = createLimiter({ clock, spend, defaults: () => defaults, maxKeys });
  const key: ApiKey = {
    ...plainKey,
    ...limits,
  };
  const reserve = (tokens: number): Reservation => {
    const reservation = limiter.reserve(key, { tokens, cost: null, model: 'echo' });
    assert.ok(!(reservation instanceof Promise));
    return reservation;
  };
  return { limiter, key, reserve, clock, defaults };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorDetails, type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { Secret } from '../core/secret.ts';
import { model, provider } from '../testing/routes.ts';
import { seeded } from '../testing/seeded.ts';
import { Health } from './health.ts';
import { HEALTH_DEFAULTS, type HealthSettings } from './settings.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

const EPOCH = 1_800_000_000_000;
/** What a back-off is without jitter. */
const MIDDLE = () => 0.5;

function at(name: string, credentialName = 'default', providerId = 'lab'): Target {
  return { provider: provider(providerId, { credentialName }), model: model(name), dialect: 'openai-chat', path: '/x' };
}

const A = at('a');
/** Whose calls they are, where a test names nobody. */
const KEY_ID = 'key_1';

type World = { health: Health; clock: { now: number } };

function world(settings: Partial<HealthSettings> = {}, random: () => number = MIDDLE, max?: number): World {
  const clock = { now: 1000 };
  const times = { now: () => EPOCH + clock.now, monotonic: () => clock.now };
  return { health: new Health(times, random, { ...HEALTH_DEFAULTS, ...settings }, max), clock };
}

function failure(kind: ErrorKind = 'upstream_error', details: ErrorDetails = {}): GatewayError {
  return new GatewayError(kind, 'It failed.', details);
}

function admitted({ health }: World, target = A): WatchedAttempt {
  const attempt = health.admit(target, KEY_ID, true);
  assert.ok(attempt !== null);
  return attempt;
}

function fail(made: World, times: number, error = failure(), target = A): void {
  for (let left = times; left > 0; left -= 1) admitted(made, target).failed(error, KEY_ID);
}

test('whoever waited for as long as it was told is admitted, wherever in a millisecond it asked', () => {
  for (let failedAt = 1000; failedAt < 1001; failedAt += 0.09) {
    for (let askedAt = failedAt; askedAt < 1002; askedAt += 0.09) {
      const clock = { now: failedAt };
      // Time passes while Unix time is read.
      const unix = () => {
        clock.now += 0.3;
        return Math.floor(EPOCH + clock.now);
      };
      const health = new Health({ now: unix, monotonic: () => clock.now }, MIDDLE, HEALTH_DEFAULTS);
      assert.equal(health.waitFor(A, KEY_ID), 0);
      fail({ health, clock }, 1, failure('upstream_rate_limited', { retryAfterMs: 150 }));
      clock.now = askedAt;
      const wait = health.waitFor(A, KEY_ID);
      assert.ok(wait >= 150 - 3, String(wait));
      clock.now += wait;
      assert.notEqual(health.admit(A, KEY_ID, true), null, `${failedAt}, ${askedAt}`);
      assert.equal(health.waitFor(A, KEY_ID), 1000, 'for all others, while the probe is under way');
    }
  }
});

test('a target of which nothing is known is well, and is not remembered for being looked at', () => {
  const { health } = world();
  assert.deepEqual(health.of(A, KEY_ID), {
    circuit: 'closed',
    openUntil: null,
    credentialOutUntil: null,
    firstTokenMs: null,
    wholeMs: null,
    inFlight: 0,
  });
  assert.deepEqual(health.status(), []);
});

test('failures in a row open the circuit; a success among them begins the count anew', () => {
  const made = world();
  fail(made, 4);
  admitted(made).succeeded({ firstTokenMs: 10 });
  fail(made, 4);
  assert.equal(made.health.of(A, KEY_ID).circuit, 'closed');
  fail(made, 1);
  assert.deepEqual([made.health.of(A, KEY_ID).circuit, made.health.of(A, KEY_ID).openUntil], ['open', EPOCH + 6000]);
  assert.equal(made.health.admit(A, KEY_ID), null);
  assert.equal(made.health.admit(A, KEY_ID, true), null, 'also to a call that insists');
  assert.notEqual(made.health.admit(at('b'), KEY_ID), null, 'another model is not concerned');
});

test('a rate of errors opens it, once there were enough calls in the window', () => {
  const made = world({ failures: 100 });
  const both = () => {
    admitted(made).failed(failure(), KEY_ID);
    admitted(made).succeeded({ firstTokenMs: 10 });
  };
  for (let round = 0; round < 9; round += 1) both();
  admitted(made).succeeded({ firstTokenMs: 10 });
  assert.equal(made.health.of(A, KEY_ID).circuit, 'closed');
  admitted(made).failed(failure(), KEY_ID);
  assert.equal(made.health.of(A, KEY_ID).circuit, 'open', '10 of 20');
  const later = world({ failures: 100 });
  fail(later, 19);
  later.clock.now += HEALTH_DEFAULTS.window;
  fail(later, 1);
  assert.equal(later.health.of(A, KEY_ID).circuit, 'closed', 'the window has slid past the others');
});

test('half open: exactly one probe of a thousand calls at once', () => {
  const made = world();
  fail(made, 5);
  made.clock.now += 4999;
  assert.equal(made.health.of(A, KEY_ID).circuit, 'open');
  made.clock.now += 1;
  assert.equal(made.health.of(A, KEY_ID).circuit, 'half_open');
  const attempts = Array.from({ length: 1000 }, () => made.health.admit(A, KEY_ID)).filter(
    (attempt) => attempt !== null,
  );
  assert.equal(attempts.length, 1);
  // For all others it is open while the probe is under way.
  assert.deepEqual(
    [made.health.of(A, KEY_ID).circuit, made.health.of(A, KEY_ID).openUntil],
    ['open', EPOCH + made.clock.now + 1000],
  );
  assert.equal(made.health.status()[0]!.circuit, 'half_open');
  attempts[0]!.succeeded({ firstTokenMs: 10 });
  assert.equal(made.health.of(A, KEY_ID).circuit, 'closed');
  for (let calls = 0; calls < 2; calls += 1) admitted(made);
});

test('a probe that fails opens it for twice as long, up to the longest; jitter is a fifth', () => {
  const made = world();
  fail(made, 5);
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    made.clock.now = made.health.of(A, KEY_ID).openUntil! - EPOCH;
    admitted(made).failed(failure(), KEY_ID);
    waits.push(made.health.of(A, KEY_ID).openUntil! - EPOCH - made.clock.now);
  }
  assert.deepEqual(waits, [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  const random = seeded(3);
  const jittered = new Set<number>();
  for (let round = 0; round < 200; round += 1) {
    const other = world({}, random);
    fail(other, 5);
    jittered.add(other.health.of(A, KEY_ID).openUntil! - EPOCH - other.clock.now);
  }
  assert.ok(jittered.size > 100 && Math.min(...jittered) >= 4000 && Math.max(...jittered) <= 6001);
  assert.ok(Math.min(...jittered) < 4200 && Math.max(...jittered) > 5800);
});

test('a probe ends as soon as the answer begins; one that never ends locks for no longer than a minute', () => {
  const made = world();
  fail(made, 5);
  made.clock.now += 5000;
  const probe = admitted(made);
  probe.answered(120);
  assert.deepEqual([made.health.of(A, KEY_ID).circuit, made.health.of(A, KEY_ID).firstTokenMs], ['closed', 120]);
  probe.failed(failure('upstream_disconnected'), KEY_ID);
  assert.equal(made.health.of(A, KEY_ID).circuit, 'closed');
  const lost = world();
  fail(lost, 5);
  lost.clock.now += 5000;
  const first = admitted(lost);
  lost.clock.now += 59_999;
  assert.equal(lost.health.admit(A, KEY_ID), null);
  lost.clock.now += 1;
  const second = admitted(lost);
  first.failed(failure(), KEY_ID);
  assert.equal(lost.health.status()[0]!.circuit, 'half_open', 'what the lost one says counts no more');
  second.succeeded({ firstTokenMs: null });
  assert.equal(lost.health.of(A, KEY_ID).circuit, 'closed');
});

test('a probe that finds out nothing leaves it to the next', () => {
  const made = world();
  for (const end of [
    (attempt: WatchedAttempt) => attempt.left(),
    (attempt: WatchedAttempt) => attempt.failed(failure('upstream_rejected'), KEY_ID),
  ]) {
    fail(made, 5);
    made.clock.now += 5000;
    end(admitted(made));
    assert.equal(made.health.of(A, KEY_ID).circuit, 'half_open');
    admitted(made).succeeded({ firstTokenMs: 1 });
  }
});

test('what began before the circuit changed says nothing of how the target does since', () => {
  const made = world();
  const old = Array.from({ length: 50 }, () => admitted(made));
  for (const attempt of old.slice(0, 20)) attempt.failed(failure(), KEY_ID);
  assert.equal(made.health.of(A, KEY_ID).openUntil, EPOCH + 6000, 'opened once, not fifteen times longer');
  made.clock.now += 5000;
  admitted(made).succeeded({ firstTokenMs: 10 });
  for (const attempt of old.slice(20)) attempt.failed(failure('upstream_timeout'), KEY_ID);
  const status = made.health.status()[0]!;
  assert.deepEqual([status.circuit, status.inFlight, status.recentCalls], ['closed', 0, 0]);
});

test('a vendor’s retry-after keeps it open so long at least, and no longer than the setting', () => {
  const limited = (retryAfterMs: number) => failure('upstream_rate_limited', { retryAfterMs });
  for (const random of [() => 0, () => 0.999]) {
    const made = world({}, random);
    fail(made, 1, limited(7000));
    const wait = made.health.of(A, KEY_ID).openUntil! - EPOCH - made.clock.now;
    assert.ok(wait >= 7000 && wait <= 8400, `${wait}`);
  }
  const long = world();
  fail(long, 1, limited(86_400_000));
  assert.equal(long.health.of(A, KEY_ID).openUntil! - EPOCH - long.clock.now, 600_000);
  const plain = world();
  fail(plain, 1, failure('upstream_rate_limited'));
  assert.equal(plain.health.of(A, KEY_ID).circuit, 'closed', 'without one it is a failure as others');
  const more = world();
  const [one, other] = [admitted(more), admitted(more)];
  one.failed(limited(1000), KEY_ID);
  other.failed(limited(9000), KEY_ID);
  assert.equal(more.health.of(A, KEY_ID).openUntil! - EPOCH - more.clock.now, 9900, 'a later word of it counts');
});

test('who says when to come back is left alone for that time alone, however often', () => {
  const made = world({ failures: 2 });
  const limited = failure('upstream_rate_limited', { retryAfterMs: 1000 });
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    fail(made, 1, limited);
    waits.push(made.health.of(A, KEY_ID).openUntil! - EPOCH - made.clock.now);
    made.clock.now = made.health.of(A, KEY_ID).openUntil! - EPOCH;
  }
  assert.deepEqual(waits, [1100, 1100, 1100, 1100, 1100, 1100]);
  // What goes wrong then is the first of its kind.
  fail(made, 1);
  assert.equal(made.health.of(A, KEY_ID).openUntil! - EPOCH - made.clock.now, 5000);
  made.clock.now += 5000;
  fail(made, 1, limited);
  made.clock.now += 1100;
  fail(made, 1);
  assert.equal(made.health.of(A, KEY_ID).openUntil! - EPOCH - made.clock.now, 10_000, 'the second');
});

test('another key, or another address, begins anew; the same ones said again do not', () => {
  const said = { baseUrl: 'http://one.invalid', credential: new Secret('old') };
  const made = world();
  const ofProvider = (more: Partial<typeof said>): Target => ({
    ...A,
    provider: provider('lab', { ...said, ...more }),
  });
  const first = ofProvider({});
  const refusal = failure('upstream_unauthorized', { badKey: true });
  fail(made, 1, refusal, first);
  const again = ofProvider({ credential: new Secret('old') });
  assert.equal(made.health.of(again, KEY_ID).credentialOutUntil, EPOCH + 61_000);
  assert.equal(made.health.admit(again, KEY_ID), null);
  const repaired = ofProvider({ credential: new Secret('new') });
  assert.equal(made.health.of(repaired, KEY_ID).credentialOutUntil, null);
  const inFlight = admitted(made, repaired);
  fail(made, 5, failure(), repaired);
  assert.equal(made.health.of(repaired, KEY_ID).circuit, 'open');
  const moved = ofProvider({ credential: new Secret('new'), baseUrl: 'http://two.invalid' });
  assert.equal(made.health.of(moved, KEY_ID).circuit, 'closed');
  admitted(made, moved).succeeded({ firstTokenMs: 1 });
  inFlight.failed(failure(), KEY_ID);
  const status = made.health.status();
  assert.deepEqual([status.length, status[0]!.inFlight, status[0]!.recentCalls], [1, 0, 1]);
  assert.ok(!JSON.stringify(status).includes('new'));
});

test('a call that insists closes an open circuit by its success, and brings its credential back', () => {
  const made = world();
  fail(made, 5);
  fail(made, 1, failure('upstream_unauthorized', { badKey: true }), at('b'));
  assert.deepEqual([made.health.of(A, KEY_ID).circuit, made.health.admit(A, KEY_ID, true)], ['open', null]);
  made.health.watch(A, KEY_ID).failed(failure(), KEY_ID);
  made.health.watch(A, KEY_ID).left();
  assert.equal(made.health.of(A, KEY_ID).circuit, 'open');
  made.health.watch(A, KEY_ID).succeeded({ firstTokenMs: 10 });
  const { circuit, credentialOutUntil } = made.health.of(A, KEY_ID);
  assert.deepEqual([circuit, credentialOutUntil], ['closed', null]);
  assert.notEqual(made.health.admit(at('b'), KEY_ID), null);
});

test('a 401 that calls the key a bad one takes it out, with all its models, and nothing else', () => {
  const made = world();
  const refusal = failure('upstream_unauthorized', { badKey: true });
  fail(made, 1, refusal);
  assert.deepEqual(
    [made.health.of(A, KEY_ID).circuit, made.health.of(A, KEY_ID).credentialOutUntil],
    ['closed', EPOCH + 61_000],
  );
  assert.equal(made.health.of(at('b'), KEY_ID).credentialOutUntil, EPOCH + 61_000);
  assert.equal(made.health.admit(at('b'), KEY_ID), null);
  assert.notEqual(made.health.admit(at('a', 'second'), KEY_ID), null);
  assert.notEqual(made.health.admit(at('a', 'default', 'other'), KEY_ID), null);
  made.clock.now += 60_000;
  const probes = [A, at('b'), at('c')].flatMap((target) => made.health.admit(target, KEY_ID) ?? []);
  assert.equal(probes.length, 1, 'one probe for all its models');
  probes[0]!.failed(refusal, KEY_ID);
  assert.equal(made.health.of(A, KEY_ID).credentialOutUntil! - EPOCH - made.clock.now, 120_000);
  for (let round = 0; round < 5; round += 1) {
    made.clock.now = made.health.of(A, KEY_ID).credentialOutUntil! - EPOCH;
    admitted(made).failed(refusal, KEY_ID);
  }
  assert.equal(made.health.of(A, KEY_ID).credentialOutUntil! - EPOCH - made.clock.now, 600_000);
  made.clock.now += 600_000;
  admitted(made, at('b')).succeeded({ firstTokenMs: 1 });
  assert.equal(made.health.of(A, KEY_ID).credentialOutUntil, null);
});

test('a target that comes back gets its calls back step by step, but for those with nowhere else to go', () => {
  const made = world();
  fail(made, 5);
  made.clock.now += 5000;
  admitted(made).succeeded({ firstTokenMs: 10 });
  const admit = () =>
    Array.from({ length: 200 }, () => made.health.admit(A, KEY_ID)).filter((attempt) => attempt !== null);
  // One for the probe that was answered, and two to begin with.
  const first = admit();
  assert.equal(first.length, 3);
  assert.notEqual(made.health.admit(A, KEY_ID, true), null);
  for (const attempt of first) attempt.succeeded({ firstTokenMs: 10 });
  const second = admit();
  assert.equal(second.length, 5, 'six, of which one that insisted is in flight');
  made.clock.now += 10_000;
  assert.equal(admit().length, 200);
});

test('streams and whole answers are timed apart', () => {
  const made = world();
  admitted(made).succeeded({ firstTokenMs: 100 });
  admitted(made).succeeded({ firstTokenMs: null });
  for (const wholeMs of [2000, 3000]) admitted(made).succeeded({ wholeMs });
  const { firstTokenMs, wholeMs } = made.health.of(A, KEY_ID);
  assert.deepEqual([firstTokenMs, wholeMs], [100, 3000]);
  const { p50Ms, p95Ms, wholeP50Ms, wholeP95Ms, recentCalls } = made.health.status()[0]!;
  assert.deepEqual([p50Ms, p95Ms, wholeP50Ms, wholeP95Ms, recentCalls], [100, 100, 2000, 3000, 4]);
});

test('models that are in no list are forgotten first, are a thousand at most, and open no circuit of others', () => {
  const made = world();
  const invented = (number: number): Target => {
    const target = at(`invented-${number}`);
    return { ...target, model: { ...target.model, known: 'asked' } };
  };
  admitted(made).succeeded({ wholeMs: 5 });
  for (let number = 0; number < 5000; number += 1) fail(made, 1, failure(), invented(number));
  fail(made, 5, failure(), invented(5000));
  const names = made.health.status().map(({ upstreamModel }) => upstreamModel);
  assert.ok(names.length <= 1001, `${names.length} are remembered`);
  assert.ok(names.includes('a-upstream'), 'what is listed is there, though it was idle for longest');
  assert.equal(made.health.of(invented(5000), KEY_ID).circuit, 'open');
  assert.equal(made.health.of(A, KEY_ID).circuit, 'closed');
});

test('of very many targets, those in no list go before those that are', () => {
  const made = world({}, MIDDLE, 10);
  for (let number = 0; number < 9; number += 1) admitted(made, at(`listed-${number}`)).succeeded({ wholeMs: 5 });
  made.clock.now += 1000;
  const target = at('invented');
  admitted(made, { ...target, model: { ...target.model, known: 'asked' } }).succeeded({ wholeMs: 5 });
  admitted(made, at('listed-9')).succeeded({ wholeMs: 5 });
  const names = made.health.status().map(({ upstreamModel }) => upstreamModel);
  assert.deepEqual([names.length, names.includes('invented-upstream')], [10, false]);
});

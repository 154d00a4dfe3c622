import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorDetails, type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { model, provider } from '../testing/routes.ts';
import { Health } from './health.ts';
import { HEALTH_DEFAULTS } from './settings.ts';

const A: Target = { provider: provider('lab'), model: model('a'), dialect: 'openai-chat', path: '/x' };
const { failures: ROW, open: OPEN_MS } = HEALTH_DEFAULTS;

type World = { health: Health; clock: { now: number } };

function world(): World {
  const clock = { now: 1000 };
  return { health: new Health({ now: () => clock.now, monotonic: () => clock.now }, () => 0.5), clock };
}

function fail({ health }: World, keyId: string, kind: ErrorKind = 'upstream_error', details: ErrorDetails = {}): void {
  const attempt = health.admit(A, keyId, true);
  assert.ok(attempt !== null, `${keyId} must not be kept away`);
  attempt.failed(new GatewayError(kind, 'No.', details), keyId);
}

function serve({ health }: World, keyId: string): void {
  health.admit(A, keyId, true)!.succeeded({ firstTokenMs: 1 });
}

function row(made: World, keyId: string): void {
  for (let call = 0; call < ROW; call += 1) fail(made, keyId);
}

const circuit = ({ health }: World, keyId: string) => health.of(A, keyId).circuit;

test('what one key’s calls meet keeps that key away, and nobody else', () => {
  for (const kind of [
    'upstream_error',
    'upstream_timeout',
    'upstream_invalid_answer',
    'upstream_disconnected',
  ] as const) {
    const made = world();
    for (let call = 0; call < ROW; call += 1) fail(made, 'one', kind);
    assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['open', 'closed'], kind);
    assert.equal(made.health.of(A, 'other').openUntil, null);
    assert.equal(made.health.admit(A, 'one', true), null);
    serve(made, 'other');
  }
});

test('as soon as a call of another key fails there too, all are kept away', () => {
  const made = world();
  row(made, 'one');
  fail(made, 'other');
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other'), circuit(made, 'third')], ['open', 'open', 'open']);
});

test('failures of two keys in a row, and connections that cannot be made, are everybody’s', () => {
  const made = world();
  for (let call = 0; call < ROW; call += 1) fail(made, call % 2 === 0 ? 'one' : 'other');
  assert.equal(circuit(made, 'third'), 'open');
  const dead = world();
  for (let call = 0; call < ROW; call += 1) fail(dead, 'one', 'upstream_unreachable');
  assert.equal(circuit(dead, 'third'), 'open');
});

test('a rate of errors that one key makes is its own; one that is there without it is everybody’s', () => {
  const made = world();
  for (let call = 0; call < 10; call += 1) {
    fail(made, 'one');
    serve(made, 'other');
  }
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['closed', 'closed'], '20 calls, the last answered');
  fail(made, 'one');
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['open', 'closed']);
  const shared = world();
  for (const key of ['one', 'other', 'third', 'fourth', 'fifth', 'sixth']) {
    serve(shared, key);
    fail(shared, key);
    fail(shared, key);
  }
  serve(shared, 'one');
  fail(shared, 'one');
  assert.equal(circuit(shared, 'seventh'), 'open');
});

test('a vendor’s word of when to come back is for the key that heard it, until another hears it', () => {
  const made = world();
  fail(made, 'one', 'upstream_rate_limited', { retryAfterMs: 60_000 });
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['open', 'closed']);
  fail(made, 'other', 'upstream_rate_limited', { retryAfterMs: 60_000 });
  assert.equal(circuit(made, 'third'), 'open');
});

test('a circuit that is open for one key stays so for its time, whoever else is served', () => {
  const made = world();
  fail(made, 'one', 'upstream_rate_limited', { retryAfterMs: 60_000 });
  serve(made, 'other');
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['open', 'closed']);
  fail(made, 'other');
  assert.equal(circuit(made, 'other'), 'closed', 'it was served, so one failure is not enough');
  serve(made, 'other');
  for (let call = 1; call < ROW; call += 1) fail(made, 'other');
  assert.equal(circuit(made, 'other'), 'closed');
  made.clock.now = made.health.of(A, 'one').openUntil! - 1;
  assert.equal(made.health.admit(A, 'one', true), null);
  fail(made, 'other');
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'third')], ['open', 'open'], 'two keys are blamed');
});

test('a circuit that was open for one key closes at another’s answer once its time is over', () => {
  const made = world();
  row(made, 'one');
  serve(made, 'other');
  made.clock.now = made.health.of(A, 'one').openUntil!;
  assert.equal(circuit(made, 'one'), 'half_open');
  serve(made, 'other');
  assert.equal(circuit(made, 'one'), 'closed');
});

test('a key that comes back holds nobody’s calls back', () => {
  const made = world();
  row(made, 'one');
  made.clock.now += OPEN_MS;
  serve(made, 'one');
  const attempts = Array.from({ length: 50 }, () => made.health.admit(A, 'other'));
  assert.ok(attempts.every((attempt) => attempt !== null));
  assert.equal(made.health.admit(A, 'one'), null, 'its own come back step by step');
});

test('one key’s probes do not keep a circuit open for others', () => {
  const made = world();
  row(made, 'one');
  fail(made, 'other');
  for (let probe = 0; probe < 2; probe += 1) {
    made.clock.now += made.health.of(A, 'one').openUntil! - made.clock.now;
    fail(made, 'one');
  }
  assert.deepEqual([circuit(made, 'one'), circuit(made, 'other')], ['open', 'closed']);
  serve(made, 'other');
  assert.equal(circuit(made, 'one'), 'closed');
});

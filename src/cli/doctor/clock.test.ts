import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe } from '../../core/operator.ts';
import { checkClock, MAX_SKEW_MS } from './clock.ts';

function probes(...clocks: (number | null)[]): Probe[] {
  return clocks.map((clockAheadMs) => ({
    provider: 'x',
    credential: null,
    gone: [],
    has_key: true,
    result: { models: 1 },
    took_ms: 1,
    clock_ahead_ms: clockAheadMs,
  }));
}

test('a clock within the limit agrees', () => {
  assert.deepEqual(checkClock(probes(MAX_SKEW_MS)), {
    name: 'clock',
    status: 'ok',
    message: 'agrees with one provider within 30 s',
  });
});

test('a clock past the limit is a warning that says which way', () => {
  const { status, message } = checkClock(probes(MAX_SKEW_MS + 1000));
  assert.equal(status, 'warn');
  assert.match(message, /^31 s behind one provider/);
  assert.match(checkClock(probes(-90_000, -90_000)).message, /^90 s ahead of 2 providers/);
});

test('one provider with a wrong clock does not count against those that agree', () => {
  assert.equal(checkClock(probes(600_000, 0, 1000)).status, 'ok');
  assert.equal(checkClock(probes(-600_000, 0, null)).status, 'warn');
});

test('without an answer there is cannot be checked with', () => {
  const { status, message } = checkClock(probes(null));
  assert.equal(status, 'ok');
  assert.match(message, /cannot be checked/);
});

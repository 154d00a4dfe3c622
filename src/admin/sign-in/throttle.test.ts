import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { networkOf, Throttle } from './throttle.ts';

const RULE = { most: 3, windowMs: 1000 };

test('so many attempts are let through in a window, and the next is told how long to wait', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take('ada', RULE);
  now = 400;
  assert.throws(
    () => throttle.take('ada', RULE),
    (error) => error instanceof GatewayError && error.kind === 'too_many_attempts' && error.retryAfterMs === 600,
  );
  throttle.take('bob', RULE);
  now = 1000;
  throttle.take('ada', RULE);
  throttle.forget('ada');
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take('ada', RULE);
});

test('of a million who try, ten thousand are remembered', () => {
  const throttle = new Throttle(() => 0);
  for (let index = 0; index < 1_000_000; index += 1) throttle.take(`email ${index}`, RULE);
  assert.equal(throttle.remembered, 10_000);
});

test('attempts of a customer’s network count together', () => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
  ] as const)
    assert.equal(networkOf(address), network, address);
});

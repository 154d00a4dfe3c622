import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, Throttle } from './throttle.ts';

const RULE = { most: 3, windowMs: 1000 };
const by = (name: string) => [{ by: name, ...RULE }];

test('so many attempts are let through in a window, and the next is told how long to wait', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal(throttle.take(by('ada')), null);
  now = 400;
  assert.equal(throttle.take(by('ada')), 600);
  assert.equal(throttle.take(by('bob')), null);
  now = 1000;
  assert.equal(throttle.take(by('ada')), null);
  throttle.forget('ada');
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal(throttle.take(by('ada')), null);
});

test('what is refused by the first thing counts for none behind it', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.take([...by('address'), ...by('ada')]);
  assert.equal(throttle.take(by('ada')), 1000, 'three were counted');
  throttle.forget('address');
  assert.equal(throttle.take(by('address')), null);
});

test('of a million who try, ten thousand are remembered', () => {
  const throttle = new Throttle(() => 0);
  for (let index = 0; index < 1_000_000; index += 1) throttle.take(by(`email ${index}`));
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from './ip-ranges.ts';

test('an address is within a range, or is it', () => {
  const ranges = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '2001:db9::1'];
  const within = ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.7', '::ffff:192.0.2.7', '2001:db8::5', '2001:db9:0::1'];
  for (const address of within) assert.ok(isWithin(address, ranges), address);
  const beyond = ['11.0.0.1', '192.0.2.8', '2001:db9::2', '::1', '', 'ten', '10.0.0.1/8'];
  for (const address of beyond) assert.ok(!isWithin(address, ranges), address);
  assert.ok(!isWithin('10.0.0.1', []));
});

test('ranges of IPv4 that are written as IPv6 are what they are', () => {
  assert.ok(isWithin('10.0.0.1', ['::ffff:10.0.0.1']));
  assert.ok(isWithin('10.0.0.1', ['::ffff:10.0.0.0/104']));
  assert.ok(!isWithin('11.0.0.1', ['::ffff:10.0.0.0/104']));
  assert.ok(isWithin('11.0.0.1', ['::ffff:0.0.0.0/96']), 'all of IPv4');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ipRangeFault, isInNetwork, readIpAddress, readIpNetwork } from './ip-address.ts';
import { isLoopbackHost, isPublicAddress, SPECIAL_NETWORKS } from './special-networks.ts';

test('no address of a special network is public, from its first to its last', () => {
  for (const [network, what] of SPECIAL_NETWORKS) {
    assert.equal(ipRangeFault(network), null, network);
    const { first, bits } = readIpNetwork(network);
    const size = first.version === 4 ? 8 : 16;
    const last = first.parts.map((part, index) => {
      const free = size - Math.min(size, Math.max(0, bits - index * size));
      return part | (2 ** free - 1);
    });
    for (const parts of [first.parts, last]) {
      const text = size === 8 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
      assert.equal(isInNetwork(readIpAddress(text)!, readIpNetwork(network)), true, text);
      assert.equal(isPublicAddress(text), false, `${text}: ${what}`);
    }
  }
});

test('addresses of IPv6 that stand for one of IPv4 are not public, whatever that is', () => {
  for (const written of [
    '::8.8.8.8',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::a9fe:a9fe',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  ])
    assert.equal(isPublicAddress(written), false, written);
});

test('what is given out as public is public', () => {
  for (const written of [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001::1',
  ])
    assert.equal(isPublicAddress(written), true, written);
  for (const none of ['', 'no address', '4000::1', 'fe80::1%eth0', '8.8.8', '010.8.8.8', '8.8.8.8:443', '[2606::1]'])
    assert.equal(isPublicAddress(none), false, none);
});

test('this machine is known by each of its own names', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])
    assert.equal(isLoopbackHost(host), true, host);
  for (const host of [
    '',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '128.0.0.1',
    '::2',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
  ])
    assert.equal(isLoopbackHost(host), false, host);
});

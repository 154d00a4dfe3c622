import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { callerIpAddress, formatIpAddress, ipRangeFault, networksOf, readIpAddress } from './ip-address.ts';

test('each spelling of a caller’s address is written in one way', () => {
  const spellings = {
    '203.0.113.7': [
      '203.0.113.7:55',
      '::ffff:203.0.113.7',
      '[::ffff:203.0.113.7]:55',
      '::FFFF:cb00:7107',
      ' 203.0.113.7 ',
    ],
    '2001:db8::1': [
      '2001:DB8:0:0::1',
      '2001:0db8::0001',
      '[2001:db8::1]:443',
      '[2001:db8::1]',
      '"[2001:db8::1]:9"',
      '2001:db8::1%eth0',
    ],
    '::1': ['[::1]:55', '0:0:0:0:0:0:0:1', '0000::0001'],
    'fe80::1': ['fe80::1%eth0', 'FE80::1%25eth0', '[fe80::1%2]:8080'],
    '1:0:0:2::3': ['1:0:0:2:0:0:0:3'],
    '::': ['0::0', '[::]'],
    '64:ff9b::a00:1': ['64:ff9b::10.0.0.1'],
  };
  for (const [written, others] of Object.entries(spellings))
    for (const spelling of [written, ...others]) assert.equal(callerIpAddress(spelling), written, spelling);
});

test('what is no address is none', () => {
  const none = [
    '',
    'unknown',
    '_hidden',
    '10',
    '10.1',
    '010.0.0.1',
    '0x0a.0.0.1',
    '1.2.3.256',
    '1.2.3.4:5:6',
    '1.2.3.4:',
    '::1::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    ':::',
    '[::1',
    '12345::',
    '1.2.3.4::',
    '::1.2.3',
    '1::2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8:9',
  ];
  for (const text of none) assert.equal(callerIpAddress(text), null, text);
});

test('random addresses are read as Node.js and browsers read them', () => {
  const digits = ['0', '0', '1', 'ab', 'FFFF', '00', '', '', '1.2.3.4'];
  let seed = 7;
  const draw = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: 2 + draw(8) }, () => digits[draw(digits.length)]).join(':');
    const read = readIpAddress(text);
    assert.equal(read !== null, isIP(text) === 6, text);
    if (read !== null) assert.equal(`[${formatIpAddress(read)}]`, new URL(`http://[${text}]`).hostname, text);
  }
});

test('an address of IPv6 is counted in the networks that one customer may have', () => {
  assert.deepEqual(networksOf('203.0.113.7'), ['203.0.113.7']);
  assert.deepEqual(networksOf('2001:db8:1:203:4::5'), [
    '2001:db8:1:203::/64',
    '2001:db8:1:200::/56',
    '2001:db8:1::/48',
  ]);
  assert.deepEqual(networksOf('::1'), ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']);
});

test('a range that means another address than it looks like is refused', () => {
  for (const text of [
    '10.0.0.0/8',
    '::/0',
    '192.0.2.1',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '0.0.0.0/0',
    '10.0.0.1/32',
    '::1/128',
  ])
    assert.equal(ipRangeFault(text), null, text);
  const unclear = [
    '10',
    '10.1',
    '010.0.0.1',
    '0x0a.0.0.1',
    '0x0a000001',
    '167772161',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/',
    '/8',
    '',
    'ten',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '::1/129',
    '10.0.0.1 ',
    '[::1]',
    '10.0.0.1:80',
    '10.0.0.0/8.0',
    '10.0.0.0/255.0.0.0',
    '１0.0.0.1',
  ];
  for (const text of unclear) assert.match(ipRangeFault(text) ?? '', /written in full/, text);
  for (const text of ['::10.0.0.1', '64:ff9b::10.0.0.0/104'])
    assert.match(ipRangeFault(text) ?? '', /must not be an IPv4 address written as IPv6/, text);
  assert.match(ipRangeFault('10.0.0.5/8') ?? '', /first address of its range: 10\.0\.0\.0\/8$/);
  assert.match(ipRangeFault('2001:db8::1/33') ?? '', /: 2001:db8::\/33$/);
});

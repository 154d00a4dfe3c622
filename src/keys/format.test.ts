import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Secret } from '../core/secret.ts';
import { hashKey, isWellFormed, mintKey } from './format.ts';

test('the 32 bytes and their checksum are in the key, padded to a fixed length', () => {
  assert.equal(mintKey(() => Buffer.alloc(32)).slice(0, 51), `hg_live_${'0'.repeat(43)}`);
  const last = Buffer.alloc(32);
  last[31] = 62;
  assert.equal(mintKey(() => last).slice(0, 51), `hg_live_${'0'.repeat(41)}10`);
  const highest = mintKey(() => Buffer.alloc(32, 0xff));
  assert.match(highest, /^hg_live_[0-9A-Za-z]{49}$/);
  assert.equal(numberOf(highest.slice(8, 51)), 2n ** 256n - 1n);
  assert.equal(numberOf(highest.slice(51)), BigInt(crc32(highest.slice(0, 51))));
});

test('minted keys are well formed and differ', () => {
  const keys = Array.from({ length: 200 }, () => mintKey(randomBytes));
  assert.equal(new Set(keys).size, 200);
  for (const key of keys) assert.ok(isWellFormed(key));
});

test('one changed character anywhere makes a key malformed', () => {
  const key = mintKey(randomBytes);
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'x' ? 'y' : 'x';
    assert.equal(isWellFormed(key.slice(0, at) + other + key.slice(at + 1)), false, `at ${at}`);
  }
});

test('what is not a key is malformed', () => {
  const key = mintKey(randomBytes);
  for (const text of [
    '',
    'hg_live_',
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    `sk-${key}`,
    'é'.repeat(57),
  ]) {
    assert.equal(isWellFormed(text), false, JSON.stringify(text));
  }
});

test('the hash is HMAC-SHA-256 under the pepper', () => {
  const expected = createHmac('sha256', 'salt and').update('hg_live_x').digest();
  assert.deepEqual(hashKey('hg_live_x', new Secret('salt and')), expected);
  assert.notDeepEqual(hashKey('hg_live_x', new Secret('another')), expected);
});

function numberOf(digits: string): bigint {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [...digits].reduce((value, digit) => value * 62n + BigInt(alphabet.indexOf(digit)), 0n);
}

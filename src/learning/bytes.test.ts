import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader } from './bytes.ts';

test('a number has at most 32 bits, and bytes that end within one are refused', () => {
  assert.equal(new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f)).varint(), 2 ** 32 - 1);
  assert.throws(() => new ByteReader(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x01)).varint(), RangeError);
  assert.throws(() => new ByteReader(Uint8Array.of(0xff, 0xff)).varint(), RangeError);
});

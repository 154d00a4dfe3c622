import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingBody } from './growing-body.ts';

test('has the bytes in order, whatever the pieces', () => {
  const whole = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));
  for (const size of [1, 1000, 65_536, 699_999]) {
    const end = size === 1 ? 2000 : whole.length;
    const body = new GrowingBody(end, whole.subarray(0, size));
    for (let at = size; at < end; at += size) body.append(whole.subarray(at, Math.min(end, at + size)));
    assert.equal(body.missing, 0);
    assert.ok(body.bytes().equals(whole.subarray(0, end)));
  }
});

test('tells what is missing, and what came too much', () => {
  const body = new GrowingBody(10, Buffer.from('abc'));
  assert.equal(body.missing, 7);
  body.append(Buffer.from('defghijklm'));
  assert.equal(body.missing, -3);
  assert.equal(body.bytes().toString(), 'abcdefghijklm');
});

test('an announced length holds no memory', () => {
  const body = new GrowingBody(1024 ** 3, Buffer.alloc(100_000));
  assert.ok(body.bytes().buffer.byteLength <= 200_000);
});

test('keeps nothing of what it was given', () => {
  const piece = Buffer.from('first');
  const body = new GrowingBody(10, piece);
  piece.write('other');
  body.append(piece);
  piece.fill(0);
  assert.equal(body.bytes().toString(), 'firstother');
});

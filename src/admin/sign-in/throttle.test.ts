import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle } from './throttle.ts';

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
  assert.equal(throttle.take(by('ada')), 1000);
});

test('what is refused by the first thing counts for none behind it', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.take([...by('address'), ...by('ada')]);
  assert.equal(throttle.take(by('ada')), 1000, 'three were counted');
  throttle.forget('address');
  assert.equal(throttle.take(by('address')), null);
});

test('a hundred thousand others push no count out', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take(by('ada'));
  for (let index = 0; index < 100_000; index += 1) throttle.take([{ by: `junk ${index}`, most: 10, windowMs: 1000 }]);
  assert.equal(throttle.take(by('ada')), 1000);
});

test('what somebody else forgets of their own takes nothing from a count that shares a place with it', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take(by('ada'));
  for (let index = 0; index < 30_000; index += 1) {
    throttle.take(by(`junk ${index}`));
    throttle.forget(`junk ${index}`);
  }
  assert.equal(throttle.take(by('ada')), 1000);
});

test('as many addresses as 200 networks can try lock out next to nobody else', () => {
  const throttle = new Throttle(() => 0);
  for (let index = 0; index < 12_000; index += 1) throttle.take(by(`junk ${index}`));
  const locked = Array.from({ length: 1000 }, (_, index) => throttle.take(by(`person ${index}`))).filter(
    (waitMs) => waitMs !== null,
  );
  assert.ok(locked.length < 10, String(locked.length));
});

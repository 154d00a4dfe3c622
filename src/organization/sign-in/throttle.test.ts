import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle } from './throttle.ts';

const RULE = { most: 3, windowMs: 1000 };
const by = (name: string) => [{ by: name, ...RULE }];

test('so many attempts are let through in any window, and the next is told how long to wait', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal(throttle.take(by('ada')), null);
  now = 400;
  assert.equal(throttle.take(by('ada')), 850, 'a slice of 250 is forgotten as a whole');
  assert.equal(throttle.take(by('bob')), null);
  now = 1249;
  assert.equal(throttle.take(by('ada')), 1);
  now = 1250;
  assert.equal(throttle.take(by('ada')), null);
  throttle.forget('ada');
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal(throttle.take(by('ada')), null);
  assert.equal(throttle.take(by('ada')), 1250);
  now = 10_000;
  assert.equal(throttle.take(by('ada')), null);
});

test('whoever waits as long as they are told is let in', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (const at of [10, 300, 990]) {
    now = at;
    assert.equal(throttle.take(by('ada')), null);
  }
  now = 1000;
  const waitMs = throttle.take(by('ada'))!;
  now += waitMs - 1;
  assert.equal(throttle.take(by('ada')), 1);
  now += 1;
  assert.equal(throttle.take(by('ada')), null);
  assert.equal(throttle.take(by('ada')), 250, 'the next slice has one attempt, too');
});

test('a flood has no attempt forgotten before its window is over, whenever it comes', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  const letIn: number[] = [];
  const isLetIn = (name: string) => throttle.take([{ by: name, most: 10, windowMs: 1000 }]) === null;
  // As many others as there are places are counted before the attack begins.
  for (let junk = 0; now < 1000; now += 10) {
    for (const end = junk + 1_000; junk < end; junk += 1) isLetIn(`junk ${junk}`);
  }
  for (; now < 3000; now += 10) while (isLetIn('ada')) letIn.push(now);
  for (const at of letIn) {
    const within = letIn.filter((each) => each >= at && each < at + 1000).length;
    assert.ok(within <= 10, `${within} within a window`);
  }
});

test('what is refused by the first thing counts for none behind it', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.take([...by('address'), ...by('ada')]);
  assert.equal(throttle.take(by('ada')), 1250, 'three were counted');
  throttle.forget('address');
  assert.equal(throttle.take(by('address')), null);
});

test('a hundred thousand others push no count out', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take(by('ada'));
  for (let index = 0; index < 100_000; index += 1) throttle.take([{ by: `junk ${index}`, most: 10, windowMs: 1000 }]);
  assert.equal(throttle.take(by('ada')), 1250);
});

test('what somebody else forgets of their own takes nothing from a count that shares a place with it', () => {
  const throttle = new Throttle(() => 0);
  for (let attempt = 0; attempt < 3; attempt += 1) throttle.take(by('ada'));
  for (let index = 0; index < 30_000; index += 1) {
    throttle.take(by(`junk ${index}`));
    throttle.forget(`junk ${index}`);
  }
  assert.equal(throttle.take(by('ada')), 1250);
});

test('as many addresses as 200 networks can try lock out next to nobody else', () => {
  const throttle = new Throttle(() => 0);
  for (let index = 0; index < 12_000; index += 1) throttle.take(by(`junk ${index}`));
  const locked = Array.from({ length: 1000 }, (_, index) => throttle.take(by(`person ${index}`))).filter(
    (waitMs) => waitMs !== null,
  );
  assert.ok(locked.length < 10, String(locked.length));
});

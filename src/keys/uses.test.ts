import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { KeyUses } from './uses.ts';

function setUp() {
  const noted: [string, number][] = [];
  const errors: unknown[] = [];
  const clock = { time: 1_000_000, fails: false };
  const uses = new KeyUses({
    store: {
      async noteUse(id, at) {
        if (clock.fails) throw new Error('The disk is full.');
        noted.push([id, at]);
      },
    },
    clock: { now: () => 5_000 + clock.time, monotonic: () => clock.time },
    onError: (error) => errors.push(error),
  });
  return { uses, noted, errors, clock };
}

test('a key is noted once a minute, and each key by itself', () => {
  const { uses, noted, clock } = setUp();
  uses.note('one');
  uses.note('other');
  clock.time += 59_999;
  uses.note('one');
  assert.deepEqual(noted, [
    ['one', 1_005_000],
    ['other', 1_005_000],
  ]);
  clock.time += 1;
  uses.note('one');
  assert.deepEqual(noted.at(-1), ['one', 1_065_000]);
});

test('what could not be noted is told, and noted at the next use', async () => {
  const { uses, noted, errors, clock } = setUp();
  clock.fails = true;
  uses.note('one');
  await turn();
  assert.equal(errors.length, 1);
  clock.fails = false;
  uses.note('one');
  assert.equal(noted.length, 1);
});

test('of many keys those that were noted first are forgotten first', () => {
  const { uses, noted } = setUp();
  for (let each = 0; each <= 10_000; each += 1) uses.note(`key_${each}`);
  uses.note('key_10000');
  assert.equal(noted.length, 10_001);
  uses.note('key_0');
  assert.equal(noted.length, 10_002);
});

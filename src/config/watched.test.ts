import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABSENT, WatchedFile } from './watched.ts';

/** What each look says of a file that was read as `a`. */
function looks(...versions: string[]): string[] {
  const file = new WatchedFile('a');
  return versions.map((version) => file.look(version));
}

test('a change is read once it has stayed as it is, and once', () => {
  assert.deepEqual(looks('a', 'b', 'b', 'b'), ['same', 'same', 'changed', 'same']);
});

test('a file that is being written is not read by halves', () => {
  assert.deepEqual(looks('empty', 'half', 'more', 'whole', 'whole'), ['same', 'same', 'same', 'same', 'changed']);
});

test('a file that is as it was again is no change', () => {
  assert.deepEqual(looks('b', 'a', 'b', 'a', 'a'), ['same', 'same', 'same', 'same', 'same']);
});

test('a file that is gone is told at once, and once; one that comes in its place is a change, even the same', () => {
  assert.deepEqual(looks(ABSENT, ABSENT, 'a', 'a', 'a'), ['gone', 'same', 'same', 'changed', 'same']);
});

test('what is read meanwhile, as at a signal, is no change', () => {
  const file = new WatchedFile('a');
  file.look('b');
  file.read('b');
  assert.deepEqual([file.look('b'), file.look('c'), file.look('c')], ['same', 'same', 'changed']);
});

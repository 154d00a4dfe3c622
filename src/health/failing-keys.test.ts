import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailingKeys } from './failing-keys.ts';

test('of 32 keys failures are counted for each; one more makes the oldest start anew', () => {
  const failing = new FailingKeys(60_000);
  for (let times = 0; times < 3; times += 1) failing.note('key_0', 1, false);
  for (let index = 1; index < 32; index += 1) failing.note(`key_${index}`, 1, false);
  assert.deepEqual(failing.heaviest(1), { keyId: 'key_0', failures: 3 });
  failing.note('key_32', 1, false);
  failing.note('key_0', 1, false);
  assert.equal(failing.heaviest(1)?.failures, 1);
});

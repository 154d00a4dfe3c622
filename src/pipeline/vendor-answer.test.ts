import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ERROR_BODY, Refusal, tooLate } from './vendor-answer.ts';

test('of an error in the place of a stream 1 MB is gathered, and what goes beyond it ends the wait', () => {
  const refusal = new Refusal();
  assert.equal(MAX_ERROR_BODY, 1024 * 1024);
  assert.equal(refusal.gather(Buffer.alloc(MAX_ERROR_BODY - 1)), false);
  assert.equal(refusal.gather(Buffer.alloc(1)), false);
  assert.equal(refusal.gather(Buffer.alloc(1)), true);
});

test('a deadline that passes before anything has left means a vendor that was not reached', () => {
  const hold = { pause: () => {}, resume: () => {}, abort: () => {} };
  const kinds = [null, hold, { ...hold, unsent: false }, { ...hold, unsent: true }].map(
    (each) => tooLate(each, '').kind,
  );
  assert.deepEqual(kinds, ['upstream_timeout', 'upstream_timeout', 'upstream_timeout', 'upstream_unreachable']);
});

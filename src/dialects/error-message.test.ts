import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageIn } from './error-message.ts';

test('members that are not there are not searched: the work does not grow with the depth', () => {
  const deep = 1000;
  for (const empty of [{}, { message: null, code: 7 }, { error: {} }, [{}], 5, null, undefined]) {
    assert.equal(messageIn(empty, deep), '');
  }
  assert.equal(messageIn({ error: { message: 'Too busy.' } }, deep), 'Too busy.');
});

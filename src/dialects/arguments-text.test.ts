import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArgumentsText } from './arguments-text.ts';

test('a bare number may be whole arguments up to 64 characters, and is none with one more', () => {
  const text = new ArgumentsText();
  text.add('1'.repeat(64));
  assert.equal(text.complete, true);
  text.add('1');
  assert.equal(text.complete, false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactJson, readExactJson } from './bigint-json.ts';

test('what is written comes back, whole numbers and texts that look like them too', () => {
  const value = {
    nano: 12_345_678_901_234_567_890n,
    owed: -1n,
    texts: ['n:12', 's:n:12', 's:', 'n:', 'plain', ''],
    rest: [1.5, true, null, { 'n:1': 'x' }],
  };
  assert.deepEqual(readExactJson(exactJson(value)), value);
});

test('what is no such JSON is a SyntaxError', () => {
  for (const text of ['', '{', '"n:x"']) assert.throws(() => readExactJson(text), SyntaxError, text);
});

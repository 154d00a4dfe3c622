import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigError } from '../config/problems.ts';
import { GatewayError } from '../core/errors.ts';
import { failureJson, mendable, OperatorError, sentenceOf } from './failure.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('a file that the system refuses is a sentence', () => {
  const error = thrownBy(() => readFileSync('/nowhere/at/all'));
  assert.equal(sentenceOf(error), '/nowhere/at/all: no such file or directory (ENOENT).');
});

test('a storage failure tells its reason', () => {
  const cause = new Error('database is locked');
  assert.equal(sentenceOf(new GatewayError('storage_unavailable', 'No.', { cause })), 'No. (database is locked)');
  assert.equal(sentenceOf(new GatewayError('not_found', 'No.', { cause })), 'No.');
});

test('a bug has no sentence', () => {
  assert.equal(sentenceOf(new TypeError('x is not a function')), null);
  assert.equal(sentenceOf('text'), null);
});

test('what is the operator’s to mend keeps its words and its cause', () => {
  const cause = new Error('The pepper is damaged.');
  const error = thrownBy(() => mendable(() => assert.fail(cause)));
  assert.ok(error instanceof OperatorError);
  assert.equal(sentenceOf(error), 'The pepper is damaged.');
  assert.equal(error.cause, cause);
});

test('a configuration’s mistakes are in the JSON one by one', () => {
  const problem = { file: 'a.yaml', line: 1, column: 2, path: 'x', message: 'is not a setting' };
  const error = new ConfigError([problem]);
  assert.deepEqual(failureJson(error, error.message), {
    error: { message: 'a.yaml:1:2 x: is not a setting', problems: [problem] },
  });
});

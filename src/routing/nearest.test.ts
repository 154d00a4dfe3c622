import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestNames } from './nearest.ts';

test('a typo finds the name it was meant for, first', () => {
  const names = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet', 'mistral-small', 'default'];
  for (const [typo, meant] of [
    ['gpt-4o-mni', 'gpt-4o-mini'],
    ['GPT-4O', 'gpt-4o'],
    ['claud-sonet', 'claude-sonnet'],
    ['mistral', 'mistral-small'],
    ['defualt', 'default'],
  ] as const) {
    assert.equal(nearestNames(typo, names)[0], meant, typo);
  }
});

test('at most three are told, and one model once', () => {
  const names = ['model-1', 'model-2', 'model-3', 'model-4', 'lab/model-1', 'lab/model-2'];
  assert.deepEqual(nearestNames('model-1x', names), ['model-1', 'model-2', 'model-3']);
  assert.deepEqual(nearestNames('lab/model-1x', names).slice(0, 1), ['lab/model-1']);
});

test('names of any length are compared, by their beginning', () => {
  const long = 'x'.repeat(10_000);
  assert.deepEqual(nearestNames(long, ['a', 'x'.repeat(200)]), ['x'.repeat(200)]);
  assert.deepEqual(nearestNames('a', [long, 'İ'.repeat(500), 'ab']), ['ab']);
  assert.deepEqual(nearestNames('', ['abc', 'a']), []);
});

test('a name that is not near is not told', () => {
  assert.deepEqual(nearestNames('gpt-6-sol', ['claude-sonnet-4-5', 'echo', 'gpt-6-sun']), ['gpt-6-sun']);
  assert.deepEqual(nearestNames('gpt-6-sol', ['claude-sonnet-4-5', 'echo', 'whisper-1']), []);
});

test('of five letters two may differ, and not three', () => {
  assert.deepEqual(nearestNames('abcde', ['abcxy', 'abxyz']), ['abcxy']);
});

test('the first 64 characters of 5,000 names are compared', () => {
  const begun = 'x'.repeat(64);
  const other = `${begun}${'z'.repeat(150)}`;
  assert.deepEqual(nearestNames(`${begun}${'y'.repeat(100)}`, [other]), [other]);
  const names = Array<string>(4_999).fill('far-away');
  assert.deepEqual(nearestNames('gpt', [...names, 'gpt-4']), ['gpt-4']);
  assert.deepEqual(nearestNames('gpt', [...names, 'far-away', 'gpt-4']), []);
});

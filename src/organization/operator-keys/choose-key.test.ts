import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../core/records.ts';
import { plainKey } from '../../testing/plain-key.ts';
import { chooseKey } from './choose-key.ts';

function key(id: string, name: string, revokedAt: number | null = null): ApiKey {
  return { ...plainKey, id, name, revokedAt };
}

const KEYS = [
  key('key_1', 'ci', 5),
  key('key_2', 'ci'),
  key('key_3', 'web'),
  key('key_4', 'web'),
  key('key_5', 'old', 7),
];

test('a key is chosen by its id, or by a name that one valid key has', () => {
  assert.equal(chooseKey(KEYS, 'key_3').id, 'key_3');
  assert.equal(chooseKey(KEYS, 'ci').id, 'key_2');
  assert.equal(chooseKey(KEYS, 'old').id, 'key_5');
});

test('a name of two valid keys chooses neither, and names both', () => {
  assert.throws(() => chooseKey(KEYS, 'web'), /2 keys have this name\. Use the id: key_3, key_4$/);
});

test('of very many keys of one name the first few are told', () => {
  const many = Array.from({ length: 1000 }, (_, index) => key(`key_${index}`, 'web'));
  assert.throws(() => chooseKey(many, 'web'), /1000 keys have this name\. .* key_0, .* key_9, …$/);
});

test('what names no key is not repeated, since it may be a secret', () => {
  assert.throws(
    () => chooseKey(KEYS, 'hg_live_secret'),
    (error: Error) => !error.message.includes('hg_live_secret'),
  );
});

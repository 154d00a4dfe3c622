import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { folded, rankOf } from './search.ts';

/** The things that match, best first. */
function found(words: string, things: readonly { names: readonly string[]; ids?: readonly string[] }[]): string[] {
  return things
    .map(({ names, ids = [] }) => ({
      name: names[0]!,
      rank: rankOf(folded(words), names.map(folded), ids.map(folded)),
    }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => one.rank! - other.rank!)
    .map(({ name }) => name);
}

describe('what fits best comes first', () => {
  test('the same, what begins with it, a word that does, what holds it', () => {
    const names = ['overbilling', 'the billing bot', 'Billing bot', 'billing', 'other'].map((name) => ({
      names: [name],
    }));
    assert.deepEqual(found('billing', names), ['billing', 'Billing bot', 'the billing bot', 'overbilling']);
  });

  test('of several words each must be in a name', () => {
    const models = ['claude-sonnet-4', 'claude-haiku-4'].map((name) => ({ names: [name] }));
    assert.deepEqual(found('sonnet claude', models), ['claude-sonnet-4']);
  });

  test('letters of every script, in any case and however an accent was typed', () => {
    assert.deepEqual(found('ÜBER', [{ names: ['über'] }]), ['über']);
    assert.deepEqual(found('e\u0301cole', [{ names: ['\u00c9COLE'] }]), ['\u00c9COLE']);
    assert.deepEqual(found('فريق', [{ names: ['فريق البحث'] }]), ['فريق البحث']);
  });
});

describe('ids', () => {
  const bot = { names: ['bot'], ids: ['key_01JABCDEF', 'hg_live_ab…wxyz'] };

  test('by the whole of one, by its beginning, and by a part that is long enough not to be chance', () => {
    for (const words of ['key_01jabcdef', 'key_01j', 'bcde', 'wxyz']) assert.deepEqual(found(words, [bot]), ['bot']);
  });

  test('what all ids of a kind begin with finds none, nor do few characters', () => {
    for (const words of ['key', 'key_', 'bcd', '']) assert.deepEqual(found(words, [bot]), []);
  });

  test('a name comes before an id', () => {
    assert.deepEqual(found('abcd', [bot, { names: ['xabcd'] }]), ['xabcd', 'bot']);
  });
});

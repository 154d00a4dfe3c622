import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Setting } from '../../core/settings.ts';
import { lastBegun, nextTurn } from './in-force.ts';

/** A price of `lab/a` with these start and end times. */
function price(id: string, from: number, endedAt: number | null = null, model = 'lab/a'): Setting<'price_override'> {
  const value = { model, definition: {}, from, endedAt, note: null, by: { type: 'operator' }, updatedAt: 0 } as const;
  return { kind: 'price_override', id, parentId: null, version: 1, createdAt: 0, value };
}

const CASES: readonly [what: string, prices: Setting<'price_override'>[], now: number, ids: string[]][] = [
  ['one bills from the moment on in which it begins', [price('a', 10)], 10, ['a']],
  ['and not before', [price('a', 10)], 9, []],
  ['of two the one that began last', [price('a', 10), price('b', 5)], 20, ['a']],
  ['in whatever order they are read', [price('b', 5), price('a', 10)], 20, ['a']],
  ['of two of one moment the one that was made last', [price('a', 10), price('b', 10)], 20, ['b']],
  ['of two of one moment, in whatever order', [price('b', 10), price('a', 10)], 20, ['b']],
  ['the one before, until the next begins', [price('a', 10), price('b', 5)], 9, ['b']],
  ['one until it ends', [price('a', 10, 20)], 19, ['a']],
  ['and none then, also where one had begun before', [price('a', 10, 20), price('b', 5)], 20, []],
  ['what ended as it began, or before, never was', [price('b', 5), price('a', 10, 10), price('c', 10, 7)], 20, ['b']],
  ['each model has its own', [price('a', 10), price('b', 5, null, 'lab/b')], 20, ['a', 'b']],
];
for (const [what, prices, now, ids] of CASES) {
  test(`prices that bill: ${what}`, () => {
    assert.deepEqual(
      [...lastBegun(prices, now).values()].map(({ id }) => id),
      ids,
    );
  });
}

test('the next turn is the first beginning or end behind a time', () => {
  const prices = [price('a', 10, 30), price('b', 20)];
  assert.deepEqual(
    [9, 10, 19, 20, 29, 30].map((now) => nextTurn(prices, now)),
    [10, 20, 20, 30, 30, Number.POSITIVE_INFINITY],
  );
});

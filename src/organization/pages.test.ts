import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, PageQuery } from '../core/settings.ts';
import { byId, mergedPage, slicePage } from './pages.ts';

type Item = { id: string };

const [FILE, STORED] = [
  ['a', 'b', 'm', 'n', 'z'],
  ['c', 'd', 'e', 'l', 'o', 'p'],
].map((ids) => ids.map((id) => ({ id }))) as [Item[], Item[]];

test('two lists are paged as one, in both directions and with pages of every length', () => {
  const whole = [...FILE, ...STORED].sort(byId).map(({ id }) => id);
  for (const [one, other] of [
    [FILE, STORED],
    [STORED, FILE],
  ] as const) {
    for (let limit = 1; limit <= whole.length + 1; limit += 1) {
      for (const order of ['asc', 'desc'] as const) {
        const read = (query: PageQuery) => mergedPage(slicePage(one, query), slicePage(other, query), query);
        assert.deepEqual(allOf(read, { limit, order }), order === 'asc' ? whole : whole.toReversed());
      }
    }
  }
});

test('two of one id are told on one page, whatever its length', () => {
  const all = [...FILE, ...FILE.slice(1, 4), ...STORED];
  for (let limit = 1; limit <= all.length + 1; limit += 1) {
    for (const order of ['asc', 'desc'] as const) {
      const read = (query: PageQuery) => slicePage(all, query);
      const ids = all.map(({ id }) => id).sort();
      assert.deepEqual(allOf(read, { limit, order }, 1), order === 'asc' ? ids : ids.toReversed());
    }
  }
});

test('a list is paged from its end, too, and what a filter leaves out is neither told nor asked for again', async () => {
  const all = [...FILE, ...FILE.slice(1, 4), ...STORED];
  for (let limit = 1; limit <= all.length + 1; limit += 1) {
    for (const order of ['asc', 'desc'] as const) {
      const ids = all.map(({ id }) => id).sort();
      const last = order === 'asc' ? '~' : ' ';
      const told = [];
      for (let query: PageQuery = { limit, order, before: last }; ; ) {
        const { items, hasMore } = slicePage(all, query);
        told.unshift(...items.map(({ id }) => id));
        assert.ok(told.length <= ids.length, 'the same was told again');
        if (!hasMore) break;
        query = { ...query, before: told[0] };
      }
      assert.deepEqual(told, order === 'asc' ? ids : ids.toReversed());
    }
  }
});

function allOf(read: (query: PageQuery) => Page<Item>, query: PageQuery, further = 0): string[] {
  const { items, hasMore } = read(query);
  assert.ok(items.length > 0 && items.length <= query.limit + further);
  const ids = items.map(({ id }) => id);
  return hasMore ? [...ids, ...allOf(read, { ...query, after: ids.at(-1) }, further)] : ids;
}

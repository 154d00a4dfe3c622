import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummaryRow } from '../core/usage-summary.ts';
import { firstRows, noneCompared } from './summary-rows.ts';

function row(values: SummaryRow['values'], cost: bigint): SummaryRow {
  const { sums, previous } = noneCompared();
  return { values, keyName: null, sums: { ...sums, cost }, previous };
}

test('of rows of days the last days come first, each from the dearest, and what is beyond the limit is all there', () => {
  const days = ['2026-11-02', '2026-11-24', '2026-11-03'];
  const rows = days.flatMap((day) => [3n, 9n, 5n].map((cost) => row({ day, model: `m-${cost}` }, cost)));
  const named = (list: readonly SummaryRow[]) => list.map(({ values, sums }) => `${values.day} ${sums.cost}`);
  for (let limit = 0; limit <= rows.length + 1; limit += 1) {
    const { told, rest } = firstRows(rows, { by: ['day', 'model'], limit });
    const inOrder = ['2026-11-24', '2026-11-03', '2026-11-02'].flatMap((day) => [9, 5, 3].map((n) => `${day} ${n}`));
    assert.deepEqual(named(told), inOrder.slice(0, limit));
    assert.deepEqual(named(rest).sort(), inOrder.slice(limit).sort());
  }
});

test('without days, rows come from the dearest, and those of one cost by name', () => {
  const rows = [row({ model: 'b' }, 1n), row({ model: 'c' }, 2n), row({ model: 'a' }, 1n)];
  const { told, rest } = firstRows(rows, { by: ['model'], limit: 2 });
  assert.deepEqual(
    [told, rest].map((list) => list.map(({ values }) => values.model)),
    [['c', 'a'], ['b']],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummaryRow } from '../core/usage-summary.ts';
import { ReportTime } from './report-time.ts';
import { firstRows, noneCompared } from './summary-rows.ts';

function row(values: SummaryRow['values'], cost: bigint): SummaryRow {
  const { sums, previous } = noneCompared();
  return { values, keyName: null, sums: { ...sums, cost }, previous };
}

test('of rows of days the last days come first, each from the dearest, and the others are summed up', async () => {
  const days = ['2026-11-02', '2026-11-24', '2026-11-03'];
  const rows = days.flatMap((day) => [3n, 9n, 5n].map((cost) => row({ day, model: `m-${cost}` }, cost)));
  const named = (list: readonly SummaryRow[]) => list.map(({ values, sums }) => `${values.day} ${sums.cost}`);
  const costs = ['2026-11-24', '2026-11-03', '2026-11-02'].flatMap((day) => [9n, 5n, 3n].map((n) => [day, n] as const));
  for (let limit = 0; limit <= rows.length + 1; limit += 1) {
    const { told, rest } = await firstRows(rows, { by: ['day', 'model'], limit }, new ReportTime(null));
    assert.deepEqual(
      named(told),
      costs.slice(0, limit).map(([day, cost]) => `${day} ${cost}`),
    );
    const others = costs.slice(limit);
    assert.equal(rest?.rows ?? 0, others.length);
    assert.equal(
      rest?.sums.cost ?? 0n,
      others.reduce((sum, [, cost]) => sum + cost, 0n),
    );
  }
});

test('without days, rows come from the dearest, and those of one cost by name', async () => {
  const rows = [row({ model: 'b' }, 1n), row({ model: 'c' }, 2n), row({ model: 'a' }, 1n)];
  const { told, rest } = await firstRows(rows, { by: ['model'], limit: 2 }, new ReportTime(null));
  assert.deepEqual(
    told.map(({ values }) => values.model),
    ['c', 'a'],
  );
  assert.deepEqual([rest?.rows, rest?.sums.cost], [1, 1n]);
});

test('the first of very many rows are found in steps, between which others have their turn', async () => {
  const rows = Array.from({ length: 20_000 }, (_, number) =>
    row({ model: `m-${number}` }, BigInt((number * 7_919) % 20_011)),
  );
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { told, rest } = await firstRows(rows, { by: ['model'], limit: 4_000 }, new ReportTime(null));
  isDone = true;
  assert.ok(turns >= 40, `${turns} turns`);
  const sorted = rows.toSorted((one, other) => Number(other.sums.cost - one.sums.cost));
  assert.deepEqual(told, sorted.slice(0, 4_000));
  assert.equal(
    rest?.sums.cost,
    sorted.slice(4_000).reduce((sum, { sums }) => sum + sums.cost, 0n),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageSummary, UsageSums } from '../core/usage-summary.ts';
import { summaryInTurns, usageSummaryJson } from './usage-summary.ts';

const ROWS = 3_600;
const LEAST_TURNS = 7;

test('the summary of a year is written in turns, between which calls are served', async () => {
  const sums: UsageSums = {
    ...{ calls: 2, failed: 1, estimated: 0, inputTokens: 30, cachedTokens: 10, outputTokens: 4, retried: 0 },
    ...{ cost: 5n, withoutCost: 0, vendorCost: 4n, withoutVendorCost: 0, underOther: 0 },
  };
  const rows = Array.from({ length: ROWS }, (_, number) => ({
    ...{ values: { model: `model-${number % 9}`, day: `day ${number}` }, keyName: null, sums, previous: sums },
  }));
  const summary: UsageSummary = {
    ...{ from: 0, until: 2_000, previousFrom: 0, totals: { sums, previous: sums } },
    ...{ rows, rest: null },
  };
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const written = await summaryInTurns(summary, ['model', 'day'], true);
  isOver = true;
  assert.ok(turns >= LEAST_TURNS, `${turns} turns`);
  assert.deepEqual(written, usageSummaryJson(summary, ['model', 'day'], true));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummaryDimension, UsageSummary, UsageSums } from '../../core/usage-summary.ts';
import { usageSummaryJson } from '../../surfaces/usage-summary.ts';
import type { ShownSummary } from './answers.ts';
import { summaryCsv as csvOf } from './csv.ts';
import { summaryText as textOf } from './summary.ts';

/** A summary as the HTTP API gives it to commands. */
const jsonOf = (summary: UsageSummary, by: readonly SummaryDimension[]) =>
  usageSummaryJson(summary, by, true) as ShownSummary;
const summaryCsv = (summary: UsageSummary, by: readonly SummaryDimension[]) => csvOf(jsonOf(summary, by), by);
const summaryText = (summary: UsageSummary, by: readonly SummaryDimension[]) => textOf(jsonOf(summary, by), by);

const NOTHING: UsageSums = {
  calls: 0,
  failed: 0,
  estimated: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0n,
  withoutCost: 0,
  vendorCost: 0n,
  withoutVendorCost: 0,
  underOther: 0,
  retried: 0,
};

const DAY = 86_400_000;
const known = { ...NOTHING, calls: 3, cost: 1_234_500_000_001n, withoutCost: 1, vendorCost: 20_000_000_000n };
const unknown = { ...NOTHING, calls: 2, withoutCost: 2, withoutVendorCost: 2 };
const summary: UsageSummary = {
  from: 30 * DAY,
  until: 32 * DAY,
  previousFrom: 28 * DAY,
  totals: {
    sums: { ...known, calls: 5, withoutCost: 3 },
    previous: { ...NOTHING, calls: 1, cost: 2_469_000_000_002n },
  },
  rows: [
    { values: { key: 'key_1', model: '=HYPERLINK("x")' }, keyName: 'a, b', sums: known, previous: NOTHING },
    { values: { key: 'key_2', model: 'small' }, keyName: null, sums: unknown, previous: NOTHING },
  ],
  rest: { sums: NOTHING, previous: NOTHING, rows: 7 },
};

test('as CSV every digit of an amount is there, what is unknown is empty, and no name is a formula', () => {
  const [head, first, second, rest] = summaryCsv(summary, ['key', 'model']).split('\n');
  assert.match(head!, /^api_key_id,api_key_name,model,calls,/);
  assert.equal(first, `key_1,"a, b","'=HYPERLINK(""x"")",3,0,0,0,0,0,1234.500000001,1,20,0,0,0,0,0,0,0,0,0,0,0,0,0`);
  assert.equal(second, 'key_2,,small,2,0,0,0,0,0,,2,,2,0,0,0,0,0,0,0,0,0,0,0,0');
  assert.match(rest!, /^\(7 more\),,,0,/);
});

test('for people a row that has no known cost has a dash, and all are told last, beside the period before', () => {
  assert.equal(
    summaryText(summary, ['key', 'model']),
    `1970-01-31 to 1970-02-01 (UTC); before: 1970-01-29 to 1970-01-30

KEY     MODEL            CALLS  IN  OUT      COST    BEFORE  CHANGE  NO COST
a, b    =HYPERLINK("x")      3   0    0  $1234.50     $0.00       -        1
key_2   small                2   0    0         -     $0.00       -        2
7 more                       0   0    0     $0.00     $0.00       -        0
ALL                          5   0    0  $1234.50  $2469.00   -50 %        3`,
  );
});

test('a row of others says how many they are, in the place of the first name', () => {
  const row = { values: { day: '2026-11-02' }, keyName: null, sums: known, previous: NOTHING, restOf: 41 };
  const others: UsageSummary = { ...summary, rows: [row], rest: null };
  assert.match(summaryText(others, ['day', 'key', 'model']), /^2026-11-02 {2}\(41 others\) +3 /m);
  assert.match(summaryCsv(others, ['key', 'day', 'model']), /^\(41 others\),,2026-11-02,,3,/m);
});

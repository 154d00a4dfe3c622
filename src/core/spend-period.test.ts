import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpendLimit } from './records.ts';
import { includesTime, periodAt } from './spend-period.ts';

const CASES: readonly [per: SpendLimit['per'], now: string, days: [string, string] | null, endsAt: string | null][] = [
  ['life', '2026-11-21T10:00:00.000Z', null, null],
  ['day', '2026-11-21T00:00:00.000Z', ['2026-11-21', '2026-11-21'], '2026-11-22T00:00:00.000Z'],
  ['day', '2026-11-21T23:59:59.999Z', ['2026-11-21', '2026-11-21'], '2026-11-22T00:00:00.000Z'],
  ['day', '2028-02-28T12:00:00.000Z', ['2028-02-28', '2028-02-28'], '2028-02-29T00:00:00.000Z'],
  ['week', '2026-11-16T00:00:00.000Z', ['2026-11-16', '2026-11-22'], '2026-11-23T00:00:00.000Z'],
  ['week', '2026-11-22T23:59:59.999Z', ['2026-11-16', '2026-11-22'], '2026-11-23T00:00:00.000Z'],
  ['week', '2027-01-01T12:00:00.000Z', ['2026-12-28', '2027-01-03'], '2027-01-04T00:00:00.000Z'],
  ['week', '1970-01-01T00:00:00.000Z', ['1969-12-29', '1970-01-04'], '1970-01-05T00:00:00.000Z'],
  ['month', '2026-11-01T00:00:00.000Z', ['2026-11-01', '2026-11-30'], '2026-12-01T00:00:00.000Z'],
  ['month', '2026-12-31T23:59:59.999Z', ['2026-12-01', '2026-12-31'], '2027-01-01T00:00:00.000Z'],
];

for (const [per, now, days, endsAt] of CASES) {
  test(`the ${per} of ${now} is of the days ${days?.join(' to ')} until ${endsAt}`, () => {
    const [sinceDay, throughDay] = days ?? [null, null];
    const at = Date.parse(now);
    const period = periodAt(per, at);
    const end = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt);
    const start = sinceDay === null ? Number.NEGATIVE_INFINITY : Date.parse(sinceDay);
    assert.deepEqual(period, { startsAt: start, endsAt: end, sinceDay, throughDay });
    assert.deepEqual(
      [at, start, start - 1, end - 1, end].map((time) => includesTime(period, time)),
      [true, true, days === null, days !== null, false],
    );
  });
}

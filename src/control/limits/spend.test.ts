import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpendLimit } from '../../core/records.ts';
import { periodAt } from './spend.ts';

const CASES: readonly [per: SpendLimit['per'], now: string, sinceDay: string | null, endsAt: string | null][] = [
  ['life', '2026-11-21T10:00:00.000Z', null, null],
  ['day', '2026-11-21T00:00:00.000Z', '2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['day', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['day', '2028-02-28T12:00:00.000Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
  ['month', '2026-11-01T00:00:00.000Z', '2026-11-01', '2026-12-01T00:00:00.000Z'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
];

for (const [per, now, sinceDay, endsAt] of CASES) {
  test(`the ${per} of ${now} is since ${sinceDay} until ${endsAt}`, () => {
    const end = endsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt);
    assert.deepEqual(periodAt(per, Date.parse(now)), { sinceDay, endsAt: end });
  });
}

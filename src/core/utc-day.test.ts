import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, utcDay, utcDayNumber } from './utc-day.ts';

test('a day begins at midnight of UTC and ends before the next', () => {
  const midnight = Date.UTC(2026, 10, 26);
  const days = [midnight - 1, midnight, midnight + DAY_MS - 1, midnight + DAY_MS].map(utcDay);
  assert.deepEqual(days, ['2026-11-25', '2026-11-26', '2026-11-26', '2026-11-27']);
  assert.deepEqual(
    [-1, 0, DAY_MS - 1, DAY_MS].map(utcDayNumber),
    [-1, 0, 0, 1],
    'days before 1970 are negative, as a clock that is set wrong may have them',
  );
});

import { GatewayError } from '../core/errors.ts';
import type { FirstTokenQuery, FirstTokenReport, FirstTokenTimes } from '../core/first-tokens.ts';
import { DAY_MS, utcDay, utcDayNumber } from '../core/utc-day.ts';
import type { Reading } from './reading.ts';
import { MAX_SUMMARY_DAYS } from './usage-summary.ts';

/** Streams by their wait in ms, in any order. */
type WaitCounts = Map<number, number>;

/** Tells from what is counted by day how long callers waited, once the tables have caught up. */
export function createFirstTokenReader(reading: Reading, catchUp: () => Promise<void>) {
  const find = `select day, ms, calls from ${reading.words.table('first_tokens')}
    where organization_id = ? and day >= ? and day <= ? order by day desc`;
  return async ({ organizationId, from, through }: FirstTokenQuery): Promise<FirstTokenReport> => {
    await catchUp();
    const [first, last] = [utcDayNumber(from), utcDayNumber(through)];
    const length = last - first + 1;
    if (length > MAX_SUMMARY_DAYS) {
      const message = `This may have at most ${MAX_SUMMARY_DAYS} days.`;
      throw new GatewayError('invalid_request', message, { param: 'start_time' });
    }
    const [now, previous, days] = [new Map(), new Map(), new Map()] as [
      WaitCounts,
      WaitCounts,
      Map<number, WaitCounts>,
    ];
    for (const row of await reading.rows(find, [organizationId, first - length, last])) {
      const [day, ms, calls] = [Number(row.day), Number(row.ms), Number(row.calls)];
      const isNow = day >= first;
      count(isNow ? now : previous, ms, calls);
      if (!isNow) continue;
      const ofDay: WaitCounts = days.get(day) ?? new Map();
      days.set(day, ofDay);
      count(ofDay, ms, calls);
    }
    return {
      from: first * DAY_MS,
      until: (last + 1) * DAY_MS,
      previousFrom: (first - length) * DAY_MS,
      now: timesOf(now),
      previous: timesOf(previous),
      days: [...days].map(([day, counts]) => ({
        day: utcDay(day * DAY_MS),
        ...timesOf(counts),
      })),
    };
  };
}

function count(counts: WaitCounts, ms: number, calls: number): void {
  counts.set(ms, (counts.get(ms) ?? 0) + calls);
}

function timesOf(counts: WaitCounts): FirstTokenTimes {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const streams = sorted.reduce((sum, [, calls]) => sum + calls, 0);
  return { streams, p50: percentile(sorted, streams * 0.5), p95: percentile(sorted, streams * 0.95) };
}

/** The wait of the stream of this rank, the shortest first; `null` where there is none. */
function percentile(sorted: readonly (readonly [number, number])[], rank: number): number | null {
  let passed = 0;
  for (const [ms, calls] of sorted) {
    passed += calls;
    if (passed >= rank) return ms;
  }
  return null;
}

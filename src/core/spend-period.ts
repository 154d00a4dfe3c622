import type { SpendLimit } from './records.ts';
import { DAY_MS, utcDay } from './utc-day.ts';

const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

/** A period: its first and last UTC day (`null` for a lifetime), and its start and end (Unix ms). */
export type Period = { startsAt: number; endsAt: number; sinceDay: string | null; throughDay: string | null };

/** True if a period includes a time (Unix ms). A stored period may lie in the future if the clock was set back. */
export function includesTime({ startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>, now: number): boolean {
  return now >= startsAt && now < endsAt;
}

/** The period that includes a time (Unix ms). */
export function periodAt(per: SpendLimit['per'], now: number): Period {
  switch (per) {
    case 'life':
      return between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    case 'day': {
      const start = now - (now % DAY_MS);
      return between(start, start + DAY_MS);
    }
    case 'week': {
      const start = now - ((((now - FIRST_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
      return between(start, start + WEEK_MS);
    }
    case 'month': {
      const date = new Date(now);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return between(Date.UTC(year, month), Date.UTC(year, month + 1));
    }
    default:
      return per satisfies never;
  }
}

/** The id of a period among those of one budget: `month 2026-11-01`, `life`. */
export function periodId(per: SpendLimit['per'], { sinceDay }: Pick<Period, 'sinceDay'>): string {
  return sinceDay === null ? per : `${per} ${sinceDay}`;
}

/** Parses an id that `periodId` wrote. */
export function parsePeriodId(id: string): Period {
  const [per, day] = id.split(' ') as [SpendLimit['per'], string?];
  return periodAt(per, day === undefined ? 0 : Date.parse(day));
}

function between(startsAt: number, endsAt: number): Period {
  return { startsAt, endsAt, sinceDay: dayOf(startsAt), throughDay: dayOf(endsAt - 1) };
}

/** `null` for an unlimited time. */
function dayOf(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  return utcDay(time);
}

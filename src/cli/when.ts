import { z } from 'zod';
import { DURATION } from '../config/units.ts';

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** The latest possible date, in ms from 1970. */
const MAX_MS = 8.64e15;

/**
 * A moment (Unix ms): a duration from now, ahead or ago (`90d`, `12h`), or a date (`2027-01-31`, its first moment in
 * UTC, or `2027-01-31T09:00:00Z`). `null` if it is neither or out of range. A bare number is refused, because it could
 * be days or milliseconds.
 */
export function momentOf(text: string, now: number, direction: 'ahead' | 'ago'): number | null {
  const whileFrom = /[a-z]$/.test(text) ? DURATION.parse(text) : null;
  if (whileFrom !== null) {
    const moment = direction === 'ahead' ? now + whileFrom : now - whileFrom;
    return Math.abs(moment) <= MAX_MS ? moment : null;
  }
  return date.safeParse(text).success ? Date.parse(text) : null;
}

/** A day in ms. Usage, spending and prices go by the days of UTC, wherever the gateway stands. */
export const DAY_MS = 86_400_000;

/** The number of the day that a time (Unix ms) is in, from 1970 on. */
export function utcDayNumber(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The day that a time (Unix ms) is in: `2026-11-26`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

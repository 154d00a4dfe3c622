/** A day in ms. Usage, spending and prices use UTC days, whatever the gateway's time zone. */
export const DAY_MS = 86_400_000;

/** The number of UTC days from 1970 to a time (Unix ms). */
export function utcDayNumber(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The UTC day of a time (Unix ms): `2026-11-26`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

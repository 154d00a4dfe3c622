/**
 * Whether times stand in UTC or as the clock of this machine has them: a person chooses it, in this browser. Days of usage and
 * of money are days of UTC always.
 */
export type Zone = 'utc' | 'local';

const KEPT_AS = 'headgate.times';
const MINUTE_MS = 60_000;

export function zone(): Zone {
  return localStorage.getItem(KEPT_AS) === 'local' ? 'local' : 'utc';
}

/** In force once the page is loaded again. */
export function chooseZone(chosen: Zone): void {
  localStorage.setItem(KEPT_AS, chosen);
}

/** `UTC` or `UTC+02:00`, as the zone is at a moment (Unix seconds). */
export function zoneText(seconds = Date.now() / 1000): string {
  const east = -offsetMinutes(seconds);
  if (east === 0) return 'UTC';
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `UTC${east < 0 ? '-' : '+'}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`;
}

/** `2026-11-21T14:05:09`, of a moment in Unix seconds. */
export function dayAndTime(seconds: number): string {
  return new Date(seconds * 1000 - offsetMinutes(seconds) * MINUTE_MS).toISOString().slice(0, 19);
}

/** The moment of such a text, in Unix seconds; `NaN` for any other. */
export function secondsAt(text: string): number {
  return Date.parse(zone() === 'utc' ? `${text}Z` : text) / 1000;
}

function offsetMinutes(seconds: number): number {
  return zone() === 'utc' ? 0 : new Date(seconds * 1000).getTimezoneOffset();
}

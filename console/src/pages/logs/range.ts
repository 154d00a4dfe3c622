import { dayAndTime, secondsAt } from '../../parts/zone.ts';
import type { Filters } from '../../shell/address.ts';

/** From when calls are shown, in seconds before now. */
const DEFAULT_RANGE = 86_400;
const RANGES = new Map([
  ['1h', 3_600],
  ['7d', 7 * 86_400],
  ['30d', 30 * 86_400],
]);

export const RANGE_CHOICES = [
  { value: '', label: 'Last 24 hours' },
  { value: '1h', label: 'Last hour' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'all', label: 'All that is kept' },
  { value: 'own', label: 'From … to …' },
];

type Times = { start_time?: number; end_time?: number };

/** The times that the address asks for, in Unix seconds. What is no number there is passed over. */
export function timesOf({ range, start, end }: Filters, now = Date.now() / 1000): Times {
  if (range === 'own') return { ...named('start_time', start), ...named('end_time', end) };
  const seconds = range === 'all' ? undefined : (RANGES.get(range ?? '') ?? DEFAULT_RANGE);
  return seconds === undefined ? {} : { start_time: Math.floor(now) - seconds };
}

function named(name: keyof Times, written: string | undefined): Times {
  const seconds = Number(written);
  return written === undefined || !Number.isInteger(seconds) || seconds <= 0 ? {} : { [name]: seconds };
}

/** As a field for days and minutes writes a time; empty where there is none. */
export function fieldOf(seconds: string | undefined): string {
  const at = new Date(Number(seconds ?? Number.NaN) * 1000);
  return Number.isNaN(at.getTime()) ? '' : dayAndTime(at.getTime() / 1000).slice(0, 16);
}

/** What such a field says, in Unix seconds. */
export function secondsOf(field: string): string | undefined {
  const at = secondsAt(field);
  return Number.isNaN(at) ? undefined : String(at);
}

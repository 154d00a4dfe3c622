import { dayAndTime, zoneText } from './zone.ts';

/**
 * Dollars as people read them: `$1,204.17`; under a cent three figures that count (`$0.0000042`), and never `$0.00` for what
 * is not nothing. What is not known is a dash.
 */
export function money(usd: number | null | undefined): string {
  if (usd == null) return '—';
  if (usd === 0) return '$0.00';
  const size = Math.abs(usd);
  const sign = usd < 0 ? '-' : '';
  if (size >= 1)
    return `${sign}$${size.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (size >= 0.01) return `${sign}$${trimmed(size.toFixed(4), 2)}`;
  const digits = Math.min(20, 2 - Math.floor(Math.log10(size)));
  return `${sign}$${trimmed(size.toFixed(digits), 2)}`;
}

/** A number in full, and without an exponent, as people and spreadsheets read it. */
export function decimalText(value: number | null): string {
  if (value === null) return '';
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

function trimmed(text: string, atLeast: number): string {
  const [whole, fraction = ''] = text.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(atLeast, '0')}`;
}

/** `1.24M`; the exact number is shown beside it. */
export function short(count: number | null | undefined): string {
  if (count == null) return '—';
  if (count < 10_000) return exact(count);
  for (const [size, unit] of [
    [1e3, 'K'],
    [1e6, 'M'],
    [1e9, 'B'],
  ] as const) {
    // 999,600 are 1.00M: in thousands, three figures would not be enough.
    if (count < size * 999.5) return `${(count / size).toPrecision(3)}${unit}`;
  }
  return `${(count / 1e12).toFixed(2)}T`;
}

export function exact(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 key`, `1,204 keys`. */
export function counted(count: number, thing: string): string {
  return `${exact(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** `812 ms`, `4.2 s`. */
export function duration(ms: number | null | undefined): string {
  if (ms == null) return '—';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** `4.2 MB`, of bytes. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

/** A part of 1: `4.2 %`; what is not nothing never reads as nothing. */
export function percent(part: number | null | undefined): string {
  if (part == null || Number.isNaN(part)) return '—';
  if (part > 0 && part < 0.0005) return '< 0.1 %';
  return `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`;
}

const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [86_400 * 30, 'day'],
  [86_400 * 365, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** `3 min. ago`, of a time in Unix seconds. Never `yesterday`: 40 hours ago may have been the day before. */
export function ago(seconds: number, now = Date.now() / 1000): string {
  const past = seconds - now;
  if (Math.abs(past) < 1) return 'now';
  let unitSize = 1;
  for (const [below, unit] of STEPS) {
    if (Math.abs(past) < below) return RELATIVE.format(Math.trunc(past / unitSize), unit);
    unitSize = below;
  }
  return '';
}

/** A moment to the second, with its zone. */
export function moment(seconds: number): string {
  return `${dayAndTime(seconds).replace('T', ' ')} ${zoneText(seconds)}`;
}

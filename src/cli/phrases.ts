import { dollarsPerMillion } from '../core/money.ts';

/** `2026-11-21 12:02:59`, in UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Unix seconds, for JSON. */
export function unixSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}

/** `$0.15` for dollars per million tokens; a dash if unknown. */
export function rateText(rate: bigint | undefined): string {
  return rate === undefined ? '-' : `$${dollarsPerMillion(rate)}`;
}

/** `$0.15` for an amount in JSON; a dash if unknown. */
export function dollarsText(amount: number | null): string {
  return amount === null ? '-' : `$${amount}`;
}

/** `1 model`, `4 models`. */
export function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`: the two largest units. */
export function durationText(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

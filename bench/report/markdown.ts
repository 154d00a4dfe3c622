import { type Spread, spread } from './statistics.ts';

export const NONE = '–';

/** A median with its range in brackets. */
export function show(of: Spread | null, digits: number): string {
  if (of === null) return NONE;
  const { median, min, max } = of;
  if (min === max) return median.toFixed(digits);
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export function showRatio(ratios: readonly number[], digits: number): string {
  return show(spread(ratios), digits);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

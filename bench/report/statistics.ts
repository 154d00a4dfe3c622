import type { Latency } from '../load/order.ts';

export type Spread = { median: number; min: number; max: number };

/** `null` without values. */
export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}

/** `null` without values. */
export function percentiles(values: readonly number[]): Latency | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: sorted.at(-1)! };
}

/** The slope of the line that fits the points best; 0 for fewer than two points. */
export function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  if (xs.length < 2) return 0;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const across = xs.reduce((sum, x, index) => sum + (x - meanX) * (ys[index]! - meanY), 0);
  const along = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return along === 0 ? 0 : across / along;
}

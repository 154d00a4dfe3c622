import type { Probe } from '../../core/operator.ts';
import { countText } from '../phrases.ts';
import { type Check, ok, warn } from './check.ts';

/** A larger error is noticeable in expiry dates, in the days and months of spend limits, and in records. */
export const MAX_SKEW_MS = 30_000;

/** Compares our clock with the median of those of the providers that answered. */
export function checkClock(probes: readonly Probe[]): Check {
  const ahead = probes.flatMap(({ clockAheadMs }) => clockAheadMs ?? []).sort((one, other) => one - other);
  const median = ahead[Math.floor((ahead.length - 1) / 2)];
  if (median === undefined) return ok('clock', 'nothing to compare it with: no provider told the time');
  const seconds = Math.round(Math.abs(median) / 1000);
  const others = ahead.length === 1 ? 'a provider’s' : `those of ${countText(ahead.length, 'provider')}`;
  if (Math.abs(median) <= MAX_SKEW_MS) return ok('clock', `agrees with ${others}, within ${MAX_SKEW_MS / 1000} s`);
  return warn('clock', `${seconds} s ${median > 0 ? 'behind' : 'ahead of'} ${others}; set this machine’s clock`);
}

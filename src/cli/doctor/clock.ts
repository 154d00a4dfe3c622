import type { Probe } from '../../core/operator.ts';
import { countText } from '../phrases.ts';
import { type Check, ok, warn } from './check.ts';

/** A larger error is noticeable in expiry dates, spend limits and records. */
export const MAX_SKEW_MS = 30_000;

/** Compares our clock with the median of the answering providers' clocks. */
export function checkClock(probes: readonly Probe[]): Check {
  const ahead = probes.flatMap(({ clock_ahead_ms: ahead }) => ahead ?? []).sort((one, other) => one - other);
  const median = ahead[Math.floor((ahead.length - 1) / 2)];
  if (median === undefined) return ok('clock', 'cannot be checked: no provider sent its time');
  const seconds = Math.round(Math.abs(median) / 1000);
  const others = ahead.length === 1 ? 'one provider' : `${countText(ahead.length, 'provider')}`;
  if (Math.abs(median) <= MAX_SKEW_MS) return ok('clock', `agrees with ${others} within ${MAX_SKEW_MS / 1000} s`);
  return warn('clock', `${seconds} s ${median > 0 ? 'behind' : 'ahead of'} ${others}. Set this machine’s clock`);
}

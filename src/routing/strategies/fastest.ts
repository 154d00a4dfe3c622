import { drawn, STREAMS } from '../random.ts';
import { apart, byScore, joined, type Option, type OptionGroup } from './option.ts';

/** Less than any known time, so that it sorts first. */
const TRIED = -1;

/**
 * The power of two choices: of two drawn targets the faster goes first, so that not all calls go to the one that was
 * fastest a moment ago. The others follow, fastest first.
 */
export function byLatency(group: OptionGroup, seed: number): OptionGroup[] {
  const first = Math.floor(drawn(seed, STREAMS.fastest, 0) * group.length);
  const other = Math.floor(drawn(seed, STREAMS.fastest, 1) * (group.length - 1));
  const one = group[first]!;
  const two = group[other < first ? other : other + 1];
  const winner = two === undefined || latencyOf(one) <= latencyOf(two) ? one : two;
  const others = joined(byScore(group, latencyOf)).filter((option) => option !== winner);
  return apart([winner, ...others]);
}

/**
 * The latency to sort by, in ms. An unknown target comes first while it has no calls, so that one call measures it, and
 * last until that has happened.
 */
export function latencyOf({ latencyMs, inFlight }: Option): number {
  if (latencyMs !== null) return latencyMs;
  return inFlight === 0 ? TRIED : Number.POSITIVE_INFINITY;
}

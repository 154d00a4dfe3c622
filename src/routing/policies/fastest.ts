import { drawn, STREAMS } from '../chance.ts';
import { apart, byScore, joined, type Option, type OptionGroup } from './option.ts';

/** Before every time that is known. */
const TRIED = -1;

/**
 * The power of two choices: of two that are drawn the faster goes first, so that calls do not all run to the one that was
 * fastest a moment ago. The others follow, the fastest first.
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
 * What a target is judged by, in ms. One of which nothing is known goes before all others while no call is there, so that
 * one call finds out, and behind them until it has.
 */
export function latencyOf({ latencyMs, inFlight }: Option): number {
  if (latencyMs !== null) return latencyMs;
  return inFlight === 0 ? TRIED : Number.POSITIVE_INFINITY;
}

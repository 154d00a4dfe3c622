import { drawn, raced, STREAMS } from './chance.ts';

/**
 * In a weighted random order, the same for the same seed. Those with a weight of 0 are left out, unless there is nobody
 * else: then all stand as they are.
 */
export function inShares<T>(items: readonly T[], weightOf: (item: T) => number, seed: number): readonly T[] {
  const shared = items
    .map((item, index) => ({ item, weight: weightOf(item), at: index }))
    .filter(({ weight }) => weight > 0)
    .map(({ item, weight, at }) => ({ item, at: raced(drawn(seed, STREAMS.credentials, at), weight) }))
    .sort((one, other) => one.at - other.at);
  return shared.length === 0 ? items : shared.map(({ item }) => item);
}

import { drawn, drawnFor, raced, STREAMS } from '../random.ts';
import { apart, type Option, type OptionGroup } from './option.ts';

/** What a draw depends on: a call's seed, or the hash of a sticky caller. */
export type Drawer = { seed: number; caller: number | null };

/**
 * A weighted random order: each option comes first with its share of the weights. For sticky callers it is rendezvous
 * hashing: removing a target moves only its own callers, and a new one takes its share evenly from all.
 */
export function byWeight(group: OptionGroup, { seed, caller }: Drawer): OptionGroup[] {
  const raceOf = ({ place }: Option) => {
    const chance = caller === null ? drawn(seed, STREAMS.weighted, place.hash) : drawnFor(caller, place.hash);
    return raced(chance, place.weight);
  };
  const entries = group.map((option) => ({ option, at: raceOf(option) }));
  entries.sort((one, other) => one.at - other.at);
  return apart(entries.map(({ option }) => option));
}

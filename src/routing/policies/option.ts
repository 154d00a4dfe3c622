import type { Candidate, Place } from '../candidates.ts';

/** A target of a route that can serve a call, and what strategies judge it by. */
export type Option = {
  place: Place;
  /** Its credentials that can be used; at least one. */
  members: readonly Candidate[];
  /** Nano-dollars; `null` where it is not known. */
  expectedCost: number | null;
  /**
   * What callers of this kind wait for, with the best of its credentials, in ms: of a stream its first token, of any other
   * answer the whole. `null` where none was used of late.
   */
  latencyMs: number | null;
  inFlight: number;
  /** Of a good answer, once `smart` was asked. */
  chance: number | null;
};

/**
 * Options that are equal so far, in the order in which they are tried if nothing tells them apart. A strategy makes finer
 * groups of one, the best first.
 */
export type OptionGroup = readonly Option[];

/** Each alone in its group: later strategies change nothing. */
export function apart(options: readonly Option[]): OptionGroup[] {
  return options.map((option) => [option]);
}

/** Group behind group. /!\ Hot path: `flat` costs several times as much. */
export function joined(groups: readonly OptionGroup[]): Option[] {
  const options: Option[] = [];
  for (const group of groups) for (const option of group) options.push(option);
  return options;
}

/** By a number, the lowest first. What has the same is equal. */
export function byScore(options: readonly Option[], score: (option: Option) => number): OptionGroup[] {
  const scored = options.map((option) => ({ option, score: score(option) }));
  scored.sort((one, other) => (one.score < other.score ? -1 : one.score > other.score ? 1 : 0));
  const groups: Option[][] = [];
  let last: number | null = null;
  for (const { option, score: its } of scored) {
    if (its === last) groups.at(-1)!.push(option);
    else groups.push([option]);
    last = its;
  }
  return groups;
}

import type { Candidate, Place } from '../candidates.ts';

/** A target of a route that can serve a call, with what strategies compare. */
export type Option = {
  place: Place;
  /** Its usable credentials; at least one. */
  members: readonly Candidate[];
  /** Nano-dollars; `null` if unknown. */
  expectedCost: number | null;
  /**
   * The latency of calls of this kind with its best credential, in ms: to the first token of a stream, or to the end of
   * any other answer. `null` if none was measured recently.
   */
  latencyMs: number | null;
  inFlight: number;
  /** The chance of a good answer, once `smart` was asked. */
  chance: number | null;
};

/**
 * Options that are equal so far, in the order in which they are tried if nothing separates them. A strategy splits a
 * group into smaller ones, best first.
 */
export type OptionGroup = readonly Option[];

/** Each option in its own group, so that later strategies change nothing. */
export function apart(options: readonly Option[]): OptionGroup[] {
  return options.map((option) => [option]);
}

/** Joins groups in order. /!\ Hot path: `flat` costs several times as much. */
export function joined(groups: readonly OptionGroup[]): Option[] {
  const options: Option[] = [];
  for (const group of groups) for (const option of group) options.push(option);
  return options;
}

/** Groups options by a number, lowest first. Options with the same number are equal. */
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

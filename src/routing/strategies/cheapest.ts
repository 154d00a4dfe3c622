import type { Option, OptionGroup } from './option.ts';

/**
 * Orders by expected cost, lowest first. Targets within a fraction (0.1: ten per cent) of the lowest are equal, and so
 * on with the next. Targets without a price come last.
 */
export function byCost(group: OptionGroup, within: number): OptionGroup[] {
  const lowest = bounds(group, within);
  const groups = lowest.map((): Option[] => []);
  const unpriced: Option[] = [];
  for (const option of group) {
    const cost = option.expectedCost;
    if (cost === null) unpriced.push(option);
    else groups[lowest.findLastIndex((bound) => bound <= cost)]!.push(option);
  }
  return unpriced.length === 0 ? groups : [...groups, unpriced];
}

/** The lowest cost of each group of equals, ascending. */
function bounds(group: OptionGroup, within: number): number[] {
  const costs: number[] = [];
  for (const { expectedCost } of group) if (expectedCost !== null) costs.push(expectedCost);
  costs.sort((one, other) => one - other);
  const found: number[] = [];
  for (const cost of costs) if (found.length === 0 || cost > found.at(-1)! * (1 + within)) found.push(cost);
  return found;
}

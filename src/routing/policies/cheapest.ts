import type { Group, Option } from './option.ts';

/**
 * By what the call is expected to cost there, the lowest first; those within a part (0.1: ten per cent) of the lowest are
 * equal, and so on with the next. What has no price comes last: it may cost anything.
 */
export function byCost(group: Group, within: number): Group[] {
  const priced = group.filter(({ expectedCost }) => expectedCost !== null);
  priced.sort((one, other) => one.expectedCost! - other.expectedCost!);
  const groups: Option[][] = [];
  let lowest = 0;
  for (const option of priced) {
    const cost = option.expectedCost!;
    if (groups.length > 0 && cost <= lowest * (1 + within)) {
      groups.at(-1)!.push(option);
      continue;
    }
    groups.push([option]);
    lowest = cost;
  }
  // Equals stand as they stood, which sorting by cost has changed.
  for (const equals of groups) equals.sort((one, other) => group.indexOf(one) - group.indexOf(other));
  const unpriced = group.filter(({ expectedCost }) => expectedCost === null);
  return unpriced.length === 0 ? groups : [...groups, unpriced];
}

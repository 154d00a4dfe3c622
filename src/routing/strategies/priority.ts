import { apart, type OptionGroup } from './option.ts';

/** Keeps the route's order. */
export function byPriority(group: OptionGroup): OptionGroup[] {
  return apart(group);
}

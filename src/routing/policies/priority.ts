import { apart, type OptionGroup } from './option.ts';

/** The route's own order. */
export function byPriority(group: OptionGroup): OptionGroup[] {
  return apart(group);
}

import { apart, type Group } from './option.ts';

/** The route's own order. */
export function byPriority(group: Group): Group[] {
  return apart(group);
}

import type { CallTraits, Rule } from '../../core/route.ts';
import { firstHolding } from '../conditions.ts';
import type { Option, OptionGroup } from './option.ts';

/** Puts the targets of the first matching rule first, in its order, as one group; the others follow. */
export function byRules(group: OptionGroup, rules: readonly Rule[], traits: CallTraits): OptionGroup[] {
  const rule = firstHolding(rules, traits);
  if (rule === null) return [group];
  const { use } = rule;
  const isNamed = ({ place }: Option) => use.includes(place.model);
  const named = group.filter(isNamed);
  named.sort((one, other) => use.indexOf(one.place.model) - use.indexOf(other.place.model));
  return [named, group.filter((option) => !isNamed(option))].filter((part) => part.length > 0);
}

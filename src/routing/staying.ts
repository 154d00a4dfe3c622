import type { CallTraits, Warm } from '../core/route.ts';
import { isAt } from './eligible.ts';
import type { Option } from './policies/option.ts';
import type { Ordering } from './strategies.ts';

/** Whether a conversation was at a target, with one of its credentials. */
export function isWarm({ members }: Option, warm: Warm): boolean {
  return members.some((member) => isAt(warm, member));
}

/**
 * Whether there is anything to stay for: in the middle of a turn always, else what is cached at one of the route's targets.
 * A fallback answers for them only while they cannot.
 */
export function isWorthIt({ place }: Option, { cachedTokens }: Warm, { midTurn }: CallTraits): boolean {
  return midTurn || (cachedTokens > 0 && place.role === 'target');
}

/**
 * Whether a conversation stays where its cache is warm. In the middle of a turn it does. Between turns it goes where the
 * call is cheaper even without what is cached: where the saving is more than the lost cache. A rule goes before.
 */
export function staysAt(warm: Option, first: Option, { ruledBehind }: Ordering, traits: CallTraits): boolean {
  if (ruledBehind.has(warm)) return false;
  if (traits.midTurn || first.expectedCost === null || warm.expectedCost === null) return true;
  return first.expectedCost >= warm.expectedCost;
}

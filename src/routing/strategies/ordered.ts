import type { CallTraits, Route, Strategy } from '../../core/route.ts';
import type { Scorer } from '../../learning/scorer.ts';
import { hashed } from '../random.ts';
import { byCost } from './cheapest.ts';
import { byLatency } from './fastest.ts';
import { joined, type Option, type OptionGroup } from './option.ts';
import { byPriority } from './priority.ts';
import { byRules } from './rules.ts';
import { bySmart } from './smart.ts';
import { byWeight } from './weighted.ts';

/** What strategies read besides the options. */
export type Situation = {
  route: Route;
  traits: CallTraits;
  seed: number;
  scorer: Scorer | null;
  /** True if exploration is allowed. */
  mayExplore: boolean;
};

export type Ordering = {
  options: readonly Option[];
  because: readonly string[];
  explored: boolean;
  propensity: number;
  /** Options that a rule ranked behind others: a warm cache must not move them to the front. */
  ruledBehind: ReadonlySet<Option>;
};

/** Applies a route's strategies in order, each to what is still equal; what remains equal keeps the route's order. */
export function ordered(options: readonly Option[], situation: Situation): Ordering {
  const because: string[] = [];
  const ruledBehind = new Set<Option>();
  let explored = false;
  let propensity = 1;
  let groups: readonly OptionGroup[] = options.length === 0 ? [] : [options];
  for (const strategy of situation.route.strategy) {
    const finer: OptionGroup[] = [];
    for (const group of groups) {
      if (group.length === 1 && strategy.kind !== 'smart') {
        finer.push(group);
        continue;
      }
      const { parts, drawn } = refined(group, strategy, situation);
      // Only the draw for the first group decides who serves the answer.
      if (finer.length === 0 && drawn !== null) {
        explored = drawn.explored;
        propensity = drawn.propensity;
      }
      if (strategy.kind === 'rules') for (const behind of joined(parts.slice(1))) ruledBehind.add(behind);
      for (const part of parts) finer.push(part);
    }
    groups = finer;
    because.push(sentence(strategy, groups, situation));
  }
  return { options: joined(groups), because, explored, propensity, ruledBehind };
}

/** Identifies a caller, for sticky strategies. */
export function callerHash({ keyId, user }: CallTraits): number {
  return hashed(user === null ? keyId : `${keyId} ${user}`);
}

type Refined = { parts: OptionGroup[]; drawn: { explored: boolean; propensity: number } | null };

function refined(group: OptionGroup, strategy: Strategy, situation: Situation): Refined {
  const { route, traits, seed, scorer, mayExplore } = situation;
  switch (strategy.kind) {
    case 'priority':
      return { parts: byPriority(group), drawn: null };
    case 'weighted':
      return { parts: byWeight(group, { seed, caller: strategy.sticky ? callerHash(traits) : null }), drawn: null };
    case 'cheapest':
      return { parts: byCost(group, strategy.within), drawn: null };
    case 'fastest':
      return { parts: byLatency(group, seed), drawn: null };
    case 'rules':
      return { parts: byRules(group, strategy.rules, traits), drawn: null };
    case 'smart': {
      if (scorer === null || route.smart === null) return { parts: [group], drawn: null };
      const settings = mayExplore ? route.smart : { ...route.smart, explore: 0 };
      const { groups, explored, propensity } = bySmart(group, scorer, settings, {
        features: traits.features,
        seed,
      });
      return { parts: groups, drawn: { explored, propensity } };
    }
    default:
      return strategy satisfies never;
  }
}

function sentence(strategy: Strategy, groups: readonly OptionGroup[], { scorer, route, traits }: Situation): string {
  const [first = []] = groups;
  const names = first.map(({ place }) => place.model).join(' = ');
  if (names === '') return `${strategy.kind}: nothing to order.`;
  if (strategy.kind === 'smart' && (scorer === null || route.smart === null)) return 'smart: no model to ask.';
  return `${strategy.kind}: ${names} first${detail(strategy, first[0]!, traits.stream)}.`;
}

function detail(strategy: Strategy, { expectedCost, latencyMs, chance }: Option, stream: boolean): string {
  switch (strategy.kind) {
    case 'priority':
    case 'rules':
      return '';
    case 'weighted':
      return strategy.sticky ? ', as always for this caller' : ', as drawn';
    case 'cheapest':
      return expectedCost === null ? ', of no known price' : `, expected to cost $${inDollars(expectedCost)}`;
    case 'fastest':
      if (latencyMs === null) return ', to find out';
      return `, ${Math.round(latencyMs)} ms to the ${stream ? 'first token' : 'whole answer'}`;
    case 'smart':
      return chance === null ? '' : `, with a chance of ${chance.toFixed(3)}`;
    default:
      return strategy satisfies never;
  }
}

/** Writes nano-dollars as dollars, with up to nine decimals. */
function inDollars(nano: number): string {
  return (nano / 1e9).toFixed(9).replace(/\.?0+$/, '');
}

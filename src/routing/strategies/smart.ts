import type { SmartSettings } from '../../core/route.ts';
import type { Scorer } from '../../learning/scorer.ts';
import { drawn, STREAMS } from '../random.ts';
import { apart, type Option, type OptionGroup } from './option.ts';

/** `propensity`: the probability with which the first option came first. */
export type Ranked = { groups: OptionGroup[]; explored: boolean; propensity: number };

/**
 * Orders by the scorer. With probability `explore`, the first option is drawn uniformly instead, so that what is
 * learned from served calls is valid for all options.
 */
export function bySmart(
  group: readonly Option[],
  scorer: Scorer,
  settings: SmartSettings,
  { features, seed }: { features: string | null; seed: number },
): Ranked {
  const ranking = scorer.rank(
    features,
    group.map(({ place, expectedCost }) => ({ model: place.model, expectedCost })),
    settings,
  );
  for (const [at, option] of group.entries()) option.chance = ranking.chances[at] ?? null;
  const ordered = ranking.order.map((at) => group[at]!);
  const [best] = ordered;
  const { explore } = settings;
  const even = explore / ordered.length;
  const explored = explore > 0 && drawn(seed, STREAMS.explore) < explore;
  const first = explored ? ordered[Math.floor(drawn(seed, STREAMS.explored) * ordered.length)]! : best!;
  const others = ordered.filter((option) => option !== first);
  const propensity = first === best ? 1 - explore + even : even;
  return { groups: apart([first, ...others]), explored, propensity };
}

import type { SmartSettings } from '../core/route.ts';

/** A target for the quality setting. `expectedCost` in nano-dollars; `null` (unknown) counts as the highest. */
export type Choice = { chance: number; expectedCost: bigint | number | null };

/** For `strong_share`: the index of the strong target, its predicted gain, and the gain from which it is chosen. */
export type StrongChoice = { place: number; gain: number; threshold: number };

/**
 * The probability that the cost of the most expensive target is worth at quality 0.5: it is then chosen over a free one if its
 * chance is better by this.
 */
const WORTH_OF_COST = 0.15;

/**
 * The indices of the choices, best first. Pure and stable.
 * - `quality` q: by the highest q · chance - (1 - q) · 0.15 · cost / highest cost. 0 is the cheapest, 1 the best chance; as q
 *   grows, neither the chance nor the cost of the first ever falls.
 * - `strong_share`: the strong target where its gain reaches the threshold (`thresholdFor`), else the others, cheapest first.
 *   Where it cannot be told which is strong, as if the share were a quality.
 * - `max_cost`: by chance, those that cost no more than the ceiling; behind them the others, cheapest first.
 */
export function choose(choices: readonly Choice[], dial: SmartSettings['dial'], strong: StrongChoice | null): number[] {
  const costs = costsOf(choices);
  switch (dial.kind) {
    case 'quality':
      return byQuality(choices, costs, dial.quality);
    case 'strong_share': {
      if (strong === null) return byQuality(choices, costs, dial.share);
      const others = places(choices).filter((place) => place !== strong.place);
      const cheapest = others.sort((one, other) => costs[one]! - costs[other]! || one - other);
      return strong.gain >= strong.threshold
        ? [strong.place, ...byChance(choices, costs, others)]
        : [...cheapest, strong.place];
    }
    case 'max_cost': {
      const ceiling = Number(dial.perCall);
      const fits = (place: number) => choices[place]!.expectedCost !== null && costs[place]! <= ceiling;
      const [within, above] = [places(choices).filter(fits), places(choices).filter((place) => !fits(place))];
      return [
        ...byChance(choices, costs, within),
        ...above.sort((one, other) => costs[one]! - costs[other]! || one - other),
      ];
    }
    default:
      return dial satisfies never;
  }
}

/** The gain that this share of calls reaches. `gains`: quantiles, ascending. */
export function thresholdFor(gains: readonly number[], share: number): number {
  if (share <= 0 || gains.length === 0) return Number.POSITIVE_INFINITY;
  if (share >= 1) return Number.NEGATIVE_INFINITY;
  const at = (1 - share) * (gains.length - 1);
  const [below, above] = [gains[Math.floor(at)]!, gains[Math.ceil(at)]!];
  return below + (above - below) * (at - Math.floor(at));
}

function byQuality(choices: readonly Choice[], costs: readonly number[], quality: number): number[] {
  const highest = Math.max(...costs);
  const utility = choices.map(
    ({ chance }, place) =>
      quality * chance - (1 - quality) * WORTH_OF_COST * (highest === 0 ? 0 : costs[place]! / highest),
  );
  // Ties are broken by chance, then by cost.
  return byChance(choices, costs, places(choices)).sort((one, other) => utility[other]! - utility[one]!);
}

function byChance(choices: readonly Choice[], costs: readonly number[], some: readonly number[]): number[] {
  return some.toSorted(
    (one, other) => choices[other]!.chance - choices[one]!.chance || costs[one]! - costs[other]! || one - other,
  );
}

function costsOf(choices: readonly Choice[]): number[] {
  const known = choices.map(({ expectedCost }) => (expectedCost === null ? null : Number(expectedCost)));
  const highest = known.reduce<number>((most, cost) => Math.max(most, cost ?? 0), 0);
  return known.map((cost) => cost ?? highest);
}

function places(choices: readonly Choice[]): number[] {
  return choices.map((_, place) => place);
}

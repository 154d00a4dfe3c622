import type { SmartSettings } from '../core/route.ts';
import { type Choice, choose, type StrongChoice, thresholdFor } from './choose.ts';
import { type Features, readFeatures } from './features.ts';
import { predictEach, type SmartModel } from './model.ts';
import { priorOf } from './unlabelled.ts';

/** A target to order. `expectedCost` in nano-dollars; `null` if unknown. */
export type SmartOption = { model: string; expectedCost: number | null };

/** `order`: indices of the options, each once, best first. `chances` are in the order of the options; `null` if unknown. */
export type Ranking = { chances: readonly (number | null)[]; order: readonly number[] };

/** Predicts how good answers will be, and orders targets by a route's dial. Pure. */
export type Scorer = {
  version: string;
  rank(features: string | null, options: readonly SmartOption[], settings: SmartSettings): Ranking;
};

/**
 * Orders targets by what a model predicts and a route's dial; without a model, by the rules that stand for one. Pure: the
 * same of the same. A call whose features are not known, or cannot be read any more, leaves the targets as they stand.
 */
export function scorerOf(model: SmartModel | null, version: string): Scorer {
  return {
    version,
    rank(features: string | null, options: readonly SmartOption[], { dial }: SmartSettings): Ranking {
      const call = features === null ? null : readable(features);
      if (call === null) return { chances: options.map(() => null), order: options.map((_, place) => place) };
      const chances =
        model === null
          ? priorChances(call, options)
          : predictEach(
              model,
              call,
              options.map((option) => option.model),
            );
      const choices = options.map(({ expectedCost }, place): Choice => ({ chance: chances[place]!, expectedCost }));
      const strong = dial.kind === 'strong_share' ? strongOf(model, options, chances, dial.share) : null;
      return { chances, order: choose(choices, dial, strong) };
    },
  };
}

/** Places each target between the cheapest and the most expensive in proportion to its cost. */
function priorChances(call: Features, options: readonly SmartOption[]): number[] {
  const { cheaper, dearer } = priorOf(call);
  const costs = [...new Set(options.flatMap(({ expectedCost }) => expectedCost ?? []))].sort(
    (one, other) => one - other,
  );
  return options.map(({ expectedCost }) => {
    if (expectedCost === null || costs.length < 2) return (cheaper + dearer) / 2;
    return cheaper + ((dearer - cheaper) * costs.indexOf(expectedCost)) / (costs.length - 1);
  });
}

/** `null` if the options do not include both the strong and the weak target. */
function strongOf(
  model: SmartModel | null,
  options: readonly SmartOption[],
  chances: readonly number[],
  share: number,
): StrongChoice | null {
  const ends = model === null ? priorEnds(options) : dialEnds(model, options);
  if (ends === null) return null;
  const gain = chances[ends.strong]! - chances[ends.weak]!;
  return { place: ends.strong, gain, threshold: thresholdFor(ends.gains, share) };
}

type Ends = { strong: number; weak: number; gains: readonly number[] };

function dialEnds({ dial }: SmartModel, options: readonly SmartOption[]): Ends | null {
  if (dial === null) return null;
  const strong = options.findIndex(({ model }) => model === dial.strong);
  const weak = options.findIndex(({ model }) => model === dial.weak);
  return strong === -1 || weak === -1 ? null : { strong, weak, gains: dial.gains };
}

function priorEnds(options: readonly SmartOption[]): Ends | null {
  const costs = options.flatMap(({ expectedCost }) => expectedCost ?? []);
  const strong = options.findIndex(({ expectedCost }) => expectedCost === Math.max(...costs));
  const weak = options.findIndex(({ expectedCost }) => expectedCost === Math.min(...costs));
  return strong === weak ? null : { strong, weak, gains: PRIOR_GAINS };
}

function readable(features: string): Features | null {
  try {
    return readFeatures(features);
  } catch (error) {
    // Old records have features of another version. A replay shows their calls as not decided by a model.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * What a wanted share means before any label: deciles of dearer less cheaper by the rules alone, over the questions of MMLU
 * that RouteLLM’s authors published answers to.
 */
const PRIOR_GAINS: readonly number[] = [0.055, 0.131, 0.131, 0.139, 0.16, 0.16, 0.223, 0.224, 0.294, 0.358, 0.558];

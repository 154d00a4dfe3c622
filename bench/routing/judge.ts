import type { Features } from '../../src/learning/features.ts';
import type { FitSettings } from '../../src/learning/fit.ts';
import { crossEntropy, type Gap, gapOf, mean } from '../../src/learning/measure.ts';
import { emptyModel, predict, predictEach, type SmartModel } from '../../src/learning/model.ts';
import { train } from '../../src/learning/train.ts';
import { priorOf } from '../../src/learning/unlabelled.ts';
import { type LearningRates, learnerOf, update } from './learn-call-by-call.ts';
import type { BenchRow } from './rows.ts';

/** The predicted advantage of the strong target for a call. */
export type Gain = (features: Features) => number;
/** A predictor learned from rows with both scores, and its description. */
export type Learned = { gain: Gain; told: string };

/** The better of the two targets on these rows, and the other. */
export type Pair = { strong: string; weak: string };

/** The two targets of the rows. Throws unless every row has the scores of the same two targets. */
export function pairOf(rows: readonly BenchRow[]): Pair {
  const targets = [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))];
  const [one, other] = targets;
  if (one === undefined || other === undefined || targets.length > 2) {
    throw new Error(`Rows must have scores of two targets; these have ${targets.length}.`);
  }
  if (rows.some(({ scores }) => scores[one] === undefined || scores[other] === undefined)) {
    throw new Error('Each row must have the scores of both targets.');
  }
  const means = [one, other].map((target) => mean(rows.map(({ scores }) => scores[target]!)));
  return means[0]! >= means[1]! ? { strong: one, weak: other } : { strong: other, weak: one };
}

/** Throws if the strong target is not better, because there is no gap to recover. */
export function judge(rows: readonly BenchRow[], { strong, weak }: Pair, gain: Gain): Gap {
  const gap = gapOf(
    rows.map(({ features, scores }) => ({ gain: gain(features), strong: scores[strong]!, weak: scores[weak]! })),
  );
  if (gap === null) throw new Error(`On these ${rows.length} rows ${strong} is not better than ${weak}.`);
  return gap;
}

/**
 * Learns from all scores of the rows, as `headgate routes train` does, but without held-out rows. `null`: settings are
 * chosen by cross-validation.
 */
export function byTraining(rows: readonly BenchRow[], pair: Pair, settings: FitSettings | null): Learned {
  const { model, settings: chosen } = train(rows, { heldOut: 0, settings });
  return { gain: gainBy(model, pair), told: `shared ${chosen.shared}, own ${chosen.own}` };
}

export type Feedback = { explore: number; strongShare: number; rates?: LearningRates };

/** The number of recent calls whose gains set the threshold for the strong target. */
const WINDOW = 200;

/**
 * Learns call by call, once through the rows in order, only from the score of the serving target. The strong target
 * serves the wanted share of calls with the highest predicted gain; a share `explore` of the calls gets a random
 * target. Nothing is known at first.
 * @param random - returns 0 to 1
 */
export function byFeedback(rows: readonly BenchRow[], pair: Pair, options: Feedback, random: () => number): Learned {
  const learner = learnerOf(emptyModel());
  const { explore, strongShare, rates } = options;
  const recent: number[] = [];
  const losses: number[] = [];
  let strongServed = 0;
  for (const { features, scores } of rows) {
    const gain = gainBy(learner.model, pair)(features);
    const threshold = recent.toSorted((one, other) => other - one)[Math.floor(recent.length * strongShare)] ?? gain;
    recent.push(gain);
    if (recent.length > WINDOW) recent.shift();
    const drawn = gain === threshold || random() < explore;
    const served = (drawn ? random() < 0.5 : gain > threshold) ? pair.strong : pair.weak;
    if (served === pair.strong) strongServed += 1;
    losses.push(crossEntropy(predict(learner.model, features, served), scores[served]!));
    update(learner, features, { target: served, score: scores[served]! }, rates);
  }
  const told = `strong served ${((100 * strongServed) / rows.length).toFixed(0)} %, log loss before each score ${mean(losses).toFixed(4)}`;
  return { gain: gainBy(learner.model, pair), told };
}

export function byRules(): Learned {
  const gain: Gain = (features) => {
    const { cheaper, dearer } = priorOf(features);
    return dearer - cheaper;
  };
  return { gain, told: 'no labels' };
}

export function byChance(random: () => number): Learned {
  return { gain: () => random(), told: '' };
}

/** The rows in a random order. */
export function shuffled<T>(rows: readonly T[], random: () => number): T[] {
  const order = [...rows];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

function gainBy(model: SmartModel, { strong, weak }: Pair): Gain {
  return (features) => {
    const [high, low] = predictEach(model, features, [strong, weak]);
    return high! - low!;
  };
}

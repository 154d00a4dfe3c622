import { type Features, NAMED } from '../../src/learning/features.ts';
import { chanceOf, emptyLinear, linearOf, type SmartModel, scaled } from '../../src/learning/model.ts';

/** A model that learns call by call, and how far each of its weights has been moved: what moved much moves less. */
export type OnlineModel = { model: SmartModel; moved: Map<string, Float32Array> };

/** How far one score moves a target's own weights, and those that all targets have in common. */
export type LearningRates = { own: number; shared: number };

/** Chosen by how well each score was predicted: docs/decisions/2026-11-21-how-smart-routes-learn.md. */
const RATES: LearningRates = { own: 0.3, shared: 0.3 };
/** How much movement a weight is given at the start. */
const MOVED_AT_FIRST = 1;
const BIAS_VALUE = 0.3;
/** The most that a call counts whose target was unlikely to be chosen. */
const MAX_WEIGHT = 3;

/** The model is changed by learning. */
export function learnerOf(model: SmartModel): OnlineModel {
  return { model, moved: new Map() };
}

/** How good the answer of a target was (0 … 1), and how likely this target was to serve the call; 1 where left out. */
export type Scored = { target: string; score: number; propensity?: number };

/**
 * Learns one score of the target that served a call: one step of logistic regression by AdaGrad (Duchi, Hazan and
 * Singer, 2011), which is least where a weight was moved much. What is seldom tried counts for more, at most threefold. A target that was not known starts from what the others have in common.
 */
export function update(
  learner: OnlineModel,
  features: Features,
  { target, score, propensity = 1 }: Scored,
  rates: LearningRates = RATES,
): void {
  const { model } = learner;
  countSeen(model, features);
  if (!model.targets.has(target)) {
    const { bias, weights } = model.shared;
    model.targets.set(target, { bias, weights: weights.slice() });
  }
  const values = scaled(model, features);
  const weight = Math.min(MAX_WEIGHT, 1 / propensity);
  const error = (chanceOf(linearOf(model, target), features, values) - score) * weight;
  const moved = movedOf(learner, target);
  const linears = [...model.targets].map(([name, linear]) => ({
    linear,
    rate: name === target ? rates.own + rates.shared : rates.shared,
  }));
  linears.push({ linear: model.shared, rate: rates.shared });
  const { indices } = features;
  for (let at = 0; at < indices.length; at += 1) {
    const slope = error * values[at]!;
    if (slope === 0) continue;
    const index = indices[at]!;
    moved[index]! += slope * slope;
    const step = slope / Math.sqrt(MOVED_AT_FIRST + moved[index]!);
    for (const { linear, rate } of linears) linear.weights[index]! -= rate * step;
  }
  for (const { linear, rate } of linears) linear.bias -= rate * error * BIAS_VALUE;
}

/** The more calls were seen, the better is known which words are rare. */
function countSeen(model: SmartModel, { indices }: Features): void {
  model.rows += 1;
  for (const index of indices) if (index >= NAMED) model.seenIn[index]! += 1;
}

function movedOf({ moved }: OnlineModel, target: string): Float32Array {
  const known = moved.get(target) ?? emptyLinear().weights;
  moved.set(target, known);
  return known;
}

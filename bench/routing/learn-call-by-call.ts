import { type Features, NAMED } from '../../src/learning/features.ts';
import { chanceOf, emptyLinear, linearOf, type SmartModel, scaled } from '../../src/learning/model.ts';

/** A model that learns call by call, and how far each weight has moved: weights that have moved much move less. */
export type OnlineModel = { model: SmartModel; moved: Map<string, Float32Array> };

/** How far one score moves a target's own weights, and the shared weights. */
export type LearningRates = { own: number; shared: number };

/** Chosen by the accuracy of predictions: docs/decisions/2026-11-21-how-smart-routes-learn.md. */
const RATES: LearningRates = { own: 0.3, shared: 0.3 };
/** The initial movement of each weight. */
const MOVED_AT_FIRST = 1;
const BIAS_VALUE = 0.3;
/** The largest weight of a call whose target was unlikely. */
const MAX_WEIGHT = 3;

/** Learning changes the model. */
export function learnerOf(model: SmartModel): OnlineModel {
  return { model, moved: new Map() };
}

/** The quality of a target's answer (0 … 1), and the probability with which it was chosen (default: 1). */
export type Scored = { target: string; score: number; propensity?: number };

/**
 * Learns one score of the serving target: one step of logistic regression by AdaGrad (Duchi, Hazan and Singer, 2011),
 * which is smaller for weights that have moved much. Rarely chosen targets count more, up to threefold. A new target
 * starts from the shared weights.
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

/** Counts words, so that rare ones become known. */
function countSeen(model: SmartModel, { indices }: Features): void {
  model.rows += 1;
  for (const index of indices) if (index >= NAMED) model.seenIn[index]! += 1;
}

function movedOf({ moved }: OnlineModel, target: string): Float32Array {
  const known = moved.get(target) ?? emptyLinear().weights;
  moved.set(target, known);
  return known;
}

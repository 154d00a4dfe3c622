import { type Features, featuresOf, gramsOf, NAMED, nameOf, type SmartText, SPACE, SYSTEM } from './features.ts';

/** The model of one target: the logit of its chance is `bias` plus the weighted sum of the scaled features. */
export type Linear = { bias: number; weights: Float32Array };

/** One linear model per target, and the scaling of features. */
export type SmartModel = {
  /** The number of rows, and of rows with each n-gram. Rare words weigh more. */
  rows: number;
  seenIn: Float32Array;
  /** The model of an unknown target: the common part of the others. */
  shared: Linear;
  targets: Map<string, Linear>;
  /** The predicted gains of the strong target over the weak one, from which the threshold for a share of calls is read. */
  dial: Dial | null;
};

/** `gains`: 101 quantiles of chance of `strong` less chance of `weak`, over rows like those to come; lowest first. */
export type Dial = { strong: string; weak: string; gains: readonly number[] };

/** A feature for or against a target: its change of the logit, and its name or n-grams. */
export type Reason = { feature: string; weight: number };

/** Beside the n-grams of the user, which together have length 1. */
const NAMED_SCALE = 0.15;
const SYSTEM_SCALE = 0.5;

/** An untrained model: every chance is 0.5. */
export function emptyModel(): SmartModel {
  return { rows: 0, seenIn: new Float32Array(SPACE), shared: emptyLinear(), targets: new Map(), dial: null };
}

/** The probability (0 … 1) that the target's answer is good. */
export function predict(model: SmartModel, features: Features, target: string): number {
  return chanceOf(linearOf(model, target), features, scaled(model, features));
}

/** `predict` for several targets, at the price of little more than one. */
export function predictEach(model: SmartModel, features: Features, targets: readonly string[]): number[] {
  const values = scaled(model, features);
  return targets.map((target) => chanceOf(linearOf(model, target), features, values));
}

/** The `count` strongest features, strongest first. The words of n-grams are read from the call again. */
export function decidingWords(model: SmartModel, call: SmartText, target: string, count: number): Reason[] {
  const features = featuresOf(call);
  const grams = gramsOf(call);
  const { weights } = linearOf(model, target);
  const values = scaled(model, features);
  const found = Array.from(features.indices, (index, at) => ({ index, weight: weights[index]! * values[at]! }));
  return found
    .filter(({ weight }) => weight !== 0)
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight) || one.index - other.index)
    .slice(0, count)
    .map(({ index, weight }) => ({ feature: featureName(index, grams.get(index) ?? []), weight }));
}

/** The scaled feature values. N-grams: log of the count times inverse document frequency, normalized to length 1. */
export function scaled(model: SmartModel, { indices, values }: Features): Float64Array {
  const result = new Float64Array(indices.length);
  const most = Math.log(1 + model.rows) + 1;
  let user = 0;
  let system = 0;
  for (let at = 0; at < indices.length; at += 1) {
    const index = indices[at]!;
    const value = values[at]!;
    if (index < NAMED) {
      result[at] = value * NAMED_SCALE;
      continue;
    }
    const seenIn = model.seenIn[index]!;
    if (seenIn === 0) continue;
    const weighed = (value === 1 ? 1 : 1 + Math.log(value)) * (most - Math.log(1 + seenIn));
    result[at] = weighed;
    if (index < SYSTEM) user += weighed * weighed;
    else system += weighed * weighed;
  }
  const userScale = user === 0 ? 0 : 1 / Math.sqrt(user);
  const systemScale = system === 0 ? 0 : SYSTEM_SCALE / Math.sqrt(system);
  for (let at = 0; at < indices.length; at += 1) {
    if (indices[at]! >= NAMED) result[at]! *= indices[at]! < SYSTEM ? userScale : systemScale;
  }
  return result;
}

export function chanceOf({ bias, weights }: Linear, { indices }: Features, values: Float64Array): number {
  let logit = bias;
  for (let at = 0; at < indices.length; at += 1) logit += weights[indices[at]!]! * values[at]!;
  return chanceOfLogit(logit);
}

export function chanceOfLogit(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

export function linearOf(model: SmartModel, target: string): Linear {
  return model.targets.get(target) ?? model.shared;
}

export function emptyLinear(): Linear {
  return { bias: 0, weights: new Float32Array(SPACE) };
}

function featureName(index: number, words: readonly string[]): string {
  const place = index < SYSTEM ? 'words' : 'words of the system prompt';
  if (words.length > 0) return `${place}: ${words.map((each) => `“${each}”`).join(', ')}`;
  return nameOf(index) ?? `${place} #${index}`;
}

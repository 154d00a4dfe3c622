import { type Features, NAMED, SPACE } from './features.ts';
import { crossEntropy, mean } from './measure.ts';
import { minimise } from './minimise.ts';
import { chanceOfLogit, emptyLinear, type Linear, type SmartModel, scaled } from './model.ts';

/** A call with scores (0 … 1) of the answers of one or more targets. `weight` (default 1) is the weight of the row. */
export type Row = { features: Features; scores: Readonly<Record<string, number>>; weight?: number };

/**
 * Regularization: `shared` for weights that all targets share, `own` for each target's deviation. Inverse strengths of squared
 * penalties, as `C` elsewhere.
 */
export type FitSettings = { shared: number; own: number };

/** Number of rows between two yields. */
const CHUNK = 128;
/** N-grams that occur in fewer rows are left out. */
const MIN_ROWS = 2;
const MAX_STEPS = 120;

/** Rows in the form for repeated passes. `columns` is the number of used features. */
type Table = {
  columns: number;
  indices: Uint32Array;
  starts: Uint32Array;
  places: Uint32Array;
  values: Float64Array;
  weights: Float64Array;
  /** For each target, the score in each row; `NaN` without one. */
  scores: Float64Array[];
  /** For each target, the logit of its mean score. Weights describe deviations from it. */
  offsets: Float64Array;
};

/**
 * Fits one logistic model per target, all together: a target's weights are `shared + own`, both as small as the rows allow, so
 * that common effects are learned from all scores. Yields every few rows.
 */
export function* fit(
  rows: readonly Row[],
  targets: readonly string[],
  settings: FitSettings,
  tolerance: number,
): Generator<void, SmartModel> {
  const model: SmartModel = {
    rows: rows.length,
    seenIn: yield* countSeen(rows),
    shared: emptyLinear(),
    targets: new Map(),
    dial: null,
  };
  const table = yield* tableOf(model, rows, targets);
  const scales: Scales = { shared: Math.sqrt(settings.shared), own: Math.sqrt(settings.own) };
  const at = new Float64Array((table.columns + 1) * (targets.length + 1));
  yield* minimise((place, slope) => loss(table, scales, place, slope), at, { tolerance, maxSteps: MAX_STEPS });
  addPart(model.shared, table, at, { part: 0, scale: scales.shared });
  targets.forEach((target, which) => {
    const linear = { bias: table.offsets[which]! + model.shared.bias, weights: model.shared.weights.slice() };
    addPart(linear, table, at, { part: which + 1, scale: scales.own });
    model.targets.set(target, linear);
  });
  model.shared.bias += mean([...table.offsets]);
  return model;
}

type Scales = { shared: number; own: number };

/**
 * What `minimise` walks down. `at` holds, for each column and lastly for the bias, the shared weight and then each target's
 * own, all divided by their scales: side by side, since they are needed together.
 */
function* loss(table: Table, scales: Scales, at: Float64Array, slope: Float64Array): Generator<void, number> {
  let sum = 0;
  for (let each = 0; each < at.length; each += 1) {
    sum += (at[each]! * at[each]!) / 2;
    slope[each] = at[each]!;
  }
  const rows = table.weights.length;
  for (let from = 0; from < rows; from += CHUNK) {
    sum += lossOfRows(table, scales, { at, slope }, { from, to: Math.min(rows, from + CHUNK) });
    yield;
  }
  return sum;
}

/** The loss of some rows; adds its gradient. Training spends nearly all its time here. */
function lossOfRows(
  { columns, starts, places, values, weights, scores, offsets }: Table,
  scales: Scales,
  { at, slope }: { at: Float64Array; slope: Float64Array },
  chunk: { from: number; to: number },
): number {
  const width = scores.length + 1;
  const biasAt = columns * width;
  const logits = new Float64Array(width);
  const errors = new Float64Array(width);
  let sum = 0;
  for (let row = chunk.from; row < chunk.to; row += 1) {
    const from = starts[row]!;
    const to = starts[row + 1]!;
    for (let part = 0; part < width; part += 1) logits[part] = at[biasAt + part]!;
    for (let each = from; each < to; each += 1) {
      const place = places[each]! * width;
      const value = values[each]!;
      for (let part = 0; part < width; part += 1) logits[part]! += at[place + part]! * value;
    }
    errors[0] = 0;
    for (let part = 1; part < width; part += 1) {
      const score = scores[part - 1]![row]!;
      errors[part] = 0;
      if (Number.isNaN(score)) continue;
      const chance = chanceOfLogit(offsets[part - 1]! + logits[0]! * scales.shared + logits[part]! * scales.own);
      sum += weights[row]! * crossEntropy(chance, score);
      const error = weights[row]! * (chance - score);
      errors[part] = error * scales.own;
      errors[0]! += error * scales.shared;
    }
    for (let each = from; each < to; each += 1) {
      const place = places[each]! * width;
      const value = values[each]!;
      for (let part = 0; part < width; part += 1) slope[place + part]! += errors[part]! * value;
    }
    for (let part = 0; part < width; part += 1) slope[biasAt + part]! += errors[part]!;
  }
  return sum;
}

/** Adds the weights of one part of `at` (0: shared) to a linear model. */
function addPart(
  linear: Linear,
  { indices, columns }: Table,
  at: Float64Array,
  { part, scale }: { part: number; scale: number },
): void {
  const width = at.length / (columns + 1);
  linear.bias += at[columns * width + part]! * scale;
  indices.forEach((index, column) => {
    linear.weights[index]! += at[column * width + part]! * scale;
  });
}

function* countSeen(rows: readonly Row[]): Generator<void, Float32Array> {
  const seenIn = new Float32Array(SPACE);
  for (const [row, { features }] of rows.entries()) {
    if (row % (4 * CHUNK) === 0) yield;
    for (const index of features.indices) seenIn[index]! += 1;
  }
  for (let index = NAMED; index < SPACE; index += 1) if (seenIn[index]! < MIN_ROWS) seenIn[index] = 0;
  return seenIn;
}

function* tableOf(model: SmartModel, rows: readonly Row[], targets: readonly string[]): Generator<void, Table> {
  const used: number[] = [];
  const columnOf = new Uint32Array(SPACE);
  for (let index = 0; index < SPACE; index += 1) {
    if (model.seenIn[index] === 0) continue;
    columnOf[index] = used.length;
    used.push(index);
  }
  const starts = [0];
  const places: number[] = [];
  const values: number[] = [];
  for (const [row, { features }] of rows.entries()) {
    if (row % CHUNK === 0) yield;
    const scaledValues = scaled(model, features);
    for (const [at, value] of scaledValues.entries()) {
      if (value === 0) continue;
      places.push(columnOf[features.indices[at]!]!);
      values.push(value);
    }
    starts.push(places.length);
  }
  yield;
  const scores = targets.map((target) => Float64Array.from(rows, (row) => row.scores[target] ?? Number.NaN));
  return {
    columns: used.length,
    indices: Uint32Array.from(used),
    starts: Uint32Array.from(starts),
    places: Uint32Array.from(places),
    values: Float64Array.from(values),
    weights: Float64Array.from(rows, ({ weight }) => weight ?? 1),
    scores,
    offsets: Float64Array.from(scores, baseLogit),
  };
}

/** A prior of one good and one bad answer. */
function baseLogit(scores: Float64Array): number {
  const known = scores.filter((score) => !Number.isNaN(score));
  const good = known.reduce((sum, score) => sum + score, 0);
  return Math.log((good + 1) / (known.length - good + 1));
}

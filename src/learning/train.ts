import { type Features, NAMED } from './features.ts';
import { type FitSettings, fit, type Row } from './fit.ts';
import { crossEntropy, type Gap, gapOf, mean, type Quality, qualityOf } from './measure.ts';
import { type Dial, predict, predictEach, type SmartModel } from './model.ts';
import { joined, spread } from './words.ts';

export type TrainOptions = {
  /** The part of rows that is kept to judge with, by their hash: the same rows in every training. 0.15 if not given. */
  heldOut?: number;
  /** `null` or not given: chosen among a few, inside of the training rows. */
  settings?: FitSettings | null;
  /** Which rows choose the settings, where there are more than are needed: others for another number. */
  seed?: number;
  /** The targets of which the dial may name two: rows know others too, of fallbacks and of what a route had before. */
  targets?: readonly string[];
};

/** How a model does on rows that it has not learned from. */
export type Evaluation = {
  rows: number;
  /** For each target that has scores there. */
  targets: Readonly<Record<string, Quality>>;
  /** Where rows have scores of two targets: the pair of which most rows know both. */
  gap: (Gap & { strongTarget: string; weakTarget: string }) | null;
};

export type Trained = { model: SmartModel; settings: FitSettings; trainedRows: number; evaluation: Evaluation };

const HELD_OUT = 0.15;
const HELD_OUT_SALT = 0x1b873593;
const CHOICE_SALT = 0x51ab1e;

/** The settings to choose from; the first is used where there are too few rows. */
const CHOICES: readonly FitSettings[] = [
  { shared: 0.3, own: 0.15 },
  { shared: 0.15, own: 0.15 },
  { shared: 0.3, own: 0.3 },
  { shared: 1, own: 0.15 },
];
const CHOICE_ROWS = 3000;
const TOO_FEW = 200;
const TOLERANCE = 1e-4;
const QUANTILES = 100;
/** Rows between two yields. */
const CHUNK = 256;

/** Learns from rows, and evaluates on those held out. Throws `RangeError` where nothing is left to learn from. */
export function train(rows: readonly Row[], options: TrainOptions = {}): Trained {
  const steps = trainInSteps(rows, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** `train`, in steps of some milliseconds, between which calls are served. */
export function* trainInSteps(rows: readonly Row[], options: TrainOptions = {}): Generator<void, Trained> {
  const share = options.heldOut ?? HELD_OUT;
  const learned: Row[] = [];
  const kept: Row[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % CHUNK === 0) yield;
    (isHeldOut(row.features, share) ? kept : learned).push(row);
  }
  const targets = targetsOf(learned);
  if (targets.length === 0) throw new RangeError('There are no rows to learn from.');
  const settings = options.settings ?? (yield* chooseSettings(learned, targets, options.seed ?? 0));
  const model = yield* fit(learned, targets, settings, TOLERANCE);
  const dialled = targets.filter((target) => options.targets?.includes(target) ?? true);
  model.dial = dialOf(model, dialled, learned, kept.length >= QUANTILES ? kept : learned);
  return { model, settings, trainedRows: learned.length, evaluation: evaluate(model, kept) };
}

/** Whether a row is held out to judge models. It depends on the features alone, so that no version ever learned from it. */
export function isHeldOut(features: Features, share: number = HELD_OUT): boolean {
  return placeOf(features, HELD_OUT_SALT) < share;
}

/** How good a model is on rows that it has not learned from. */
export function evaluate(model: SmartModel, rows: readonly Row[]): Evaluation {
  const targets: Record<string, Quality> = {};
  for (const target of targetsOf(rows)) {
    const known = rows.filter(({ scores }) => scores[target] !== undefined);
    targets[target] = qualityOf(
      known.map(({ features }) => predict(model, features, target)),
      known.map(({ scores }) => scores[target]!),
    );
  }
  return { rows: rows.length, targets, gap: gapBetween(model, rows) };
}

/** The quantiles of what is gained by the strong target, over calls like those to come. */
function gainsOf(model: SmartModel, strong: string, weak: string, calls: readonly Features[]): number[] {
  const gains = calls
    .map((features) => predictEach(model, features, [strong, weak]))
    .map(([high, low]) => high! - low!)
    .sort((one, other) => one - other);
  return Array.from({ length: QUANTILES + 1 }, (_, at) => gains[Math.round((at / QUANTILES) * (gains.length - 1))]!);
}

/** All targets that have scores, in the order of their names. */
export function targetsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))].sort();
}

/** The settings with the least error on one half when learned on the other, both ways. */
function* chooseSettings(rows: readonly Row[], targets: readonly string[], seed: number): Generator<void, FitSettings> {
  if (rows.length < TOO_FEW) return CHOICES[0]!;
  const placed: { row: Row; place: number }[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % CHUNK === 0) yield;
    placed.push({ row, place: placeOf(row.features, CHOICE_SALT + seed) });
  }
  placed.sort((one, other) => one.place - other.place);
  const some = placed.slice(0, CHOICE_ROWS).map(({ row }) => row);
  const halves = [some.filter((_, at) => at % 2 === 0), some.filter((_, at) => at % 2 === 1)] as const;
  let best = { settings: CHOICES[0]!, loss: Number.POSITIVE_INFINITY };
  for (const settings of CHOICES) {
    let loss = 0;
    for (const [learned, judged] of [halves, halves.toReversed()] as const) {
      const model = yield* fit(learned!, targets, settings, TOLERANCE);
      yield;
      loss += errorOf(model, judged!, targets);
    }
    if (loss < best.loss) best = { settings, loss };
  }
  return best.settings;
}

/**
 * What settings are chosen by. It is differences between targets that calls are routed by: so, where rows know several
 * targets, how far off the predicted differences are, squared; else log loss.
 */
function errorOf(model: SmartModel, rows: readonly Row[], targets: readonly string[]): number {
  let differences = 0;
  let losses = 0;
  for (const { features, scores } of rows) {
    const known = targets.filter((target) => scores[target] !== undefined);
    const chances = predictEach(model, features, known);
    known.forEach((target, at) => {
      losses += crossEntropy(chances[at]!, scores[target]!);
      known.slice(0, at).forEach((other, before) => {
        differences += (chances[at]! - chances[before]! - (scores[target]! - scores[other]!)) ** 2;
      });
    });
  }
  return differences > 0 ? differences : losses;
}

function dialOf(
  model: SmartModel,
  targets: readonly string[],
  learned: readonly Row[],
  calls: readonly Row[],
): Dial | null {
  const means = targets.map((target) => ({ target, mean: meanScore(learned, target) }));
  if (means.length < 2) return null;
  means.sort((one, other) => other.mean - one.mean);
  const [strong, weak] = [means[0]!.target, means.at(-1)!.target];
  return {
    strong,
    weak,
    gains: gainsOf(
      model,
      strong,
      weak,
      calls.map(({ features }) => features),
    ),
  };
}

function gapBetween(model: SmartModel, rows: readonly Row[]): Evaluation['gap'] {
  const pair = bestKnownPair(rows);
  if (pair === null) return null;
  const [strongTarget, weakTarget] = pair;
  const gap = gapOf(
    rows
      .filter(({ scores }) => pair.every((target) => scores[target] !== undefined))
      .map(({ features, scores }) => {
        const [high, low] = predictEach(model, features, pair);
        return { gain: high! - low!, strong: scores[strongTarget]!, weak: scores[weakTarget]! };
      }),
  );
  return gap === null ? null : { ...gap, strongTarget, weakTarget };
}

/** The two targets that most rows know both of; the better one first. */
function bestKnownPair(rows: readonly Row[]): readonly [string, string] | null {
  const targets = targetsOf(rows);
  let best: { pair: readonly [string, string]; both: Row[] } | null = null;
  for (const [at, one] of targets.entries()) {
    for (const other of targets.slice(at + 1)) {
      const both = rows.filter(({ scores }) => scores[one] !== undefined && scores[other] !== undefined);
      if (both.length > (best?.both.length ?? 0)) best = { pair: [one, other], both };
    }
  }
  if (best === null) return null;
  const [one, other] = best.pair;
  return meanScore(best.both, one) >= meanScore(best.both, other) ? [one, other] : [other, one];
}

function meanScore(rows: readonly Row[], target: string): number {
  return mean(rows.flatMap(({ scores }) => scores[target] ?? []));
}

/** A number between 0 and 1 that is always the same for the same features. */
function placeOf({ indices, values }: Features, salt: number): number {
  let hash = 0;
  for (let at = 0; at < indices.length; at += 1) {
    // Features with a name tell of turns and tools, too, which may differ for the same prompt.
    if (indices[at]! >= NAMED) hash = joined(hash, spread(indices[at]!, values[at]!)) | 0;
  }
  return spread(hash, salt) / 2 ** 32;
}

import { type Features, NAMED } from './features.ts';
import { type FitSettings, fit, type Row } from './fit.ts';
import { crossEntropy, type Gap, gapOf, mean, type Quality, qualityOf } from './measure.ts';
import { type Dial, predictEach, type SmartModel } from './model.ts';
import { CHUNK, inOneGo, type Steps } from './steps.ts';
import { joined, spread } from './words.ts';

export type TrainOptions = {
  /** The share of held-out rows, chosen by hash so that they are the same in every training. Default: 0.15. */
  heldOut?: number;
  /** `null` or not given: chosen among a few, inside of the training rows. */
  settings?: FitSettings | null;
  /** Which rows choose the settings, where there are more than are needed: others for another number. */
  seed?: number;
  /** The targets of which the dial may name two: rows know others too, of fallbacks and of what a route had before. */
  targets?: readonly string[];
};

/** The evaluation of a model on held-out rows. */
export type Evaluation = {
  rows: number;
  /** For each target that has scores there. */
  targets: Readonly<Record<string, Quality>>;
  /** Where rows have scores of two targets: the pair of which most rows know both. */
  gap: (Gap & { strongTarget: string; weakTarget: string }) | null;
};

/** For each row, the chances of the targets that have scores there. */
export type Chances = readonly Readonly<Record<string, number>>[];

/** `heldOut`: the rows that the model was evaluated on. */
export type Trained = {
  model: SmartModel;
  settings: FitSettings;
  trainedRows: number;
  heldOut: readonly Row[];
  evaluation: Evaluation;
};

const HELD_OUT = 0.15;
const HELD_OUT_SALT = 0x1b873593;
const CHOICE_SALT = 0x51ab1e;

/** The settings to choose from; the first is used if there are too few rows. */
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

/** Learns from rows and evaluates on held-out ones. Throws `RangeError` without rows to learn from. */
export function train(rows: readonly Row[], options: TrainOptions = {}): Trained {
  return inOneGo(trainInSteps(rows, options));
}

/** `train`, in steps of some milliseconds, between which calls are served. */
export function* trainInSteps(rows: readonly Row[], options: TrainOptions = {}): Steps<Trained> {
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
  model.dial = yield* dialOf(model, dialled, learned, kept.length >= QUANTILES ? kept : learned);
  const evaluation = yield* evaluate(model, kept);
  return { model, settings, trainedRows: learned.length, heldOut: kept, evaluation };
}

/** True if a row is held out to judge models. It depends on the features alone, so that no version ever learned from it. */
export function isHeldOut(features: Features, share: number = HELD_OUT): boolean {
  return placeOf(features, HELD_OUT_SALT) < share;
}

/** Evaluates a model on held-out rows. */
export function* evaluate(model: SmartModel, rows: readonly Row[]): Steps<Evaluation> {
  const chances = yield* chancesOf(model, rows);
  const targets: Record<string, Quality> = {};
  for (const target of targetsOf(rows)) {
    yield;
    const known = [...rows.keys()].filter((at) => rows[at]!.scores[target] !== undefined);
    targets[target] = qualityOf(
      known.map((at) => chances[at]![target]!),
      known.map((at) => rows[at]!.scores[target]!),
    );
  }
  return { rows: rows.length, targets, gap: yield* gapBetween(rows, chances) };
}

export function* chancesOf(model: SmartModel, rows: readonly Row[]): Steps<Chances> {
  const chances: Record<string, number>[] = [];
  for (const [at, { features, scores }] of rows.entries()) {
    if (at % CHUNK === 0) yield;
    const known = Object.keys(scores);
    const each = predictEach(model, features, known);
    chances.push(Object.fromEntries(known.map((target, which) => [target, each[which]!])));
  }
  return chances;
}

/** How well the chances identify rows that need the better of two targets; `null` if no row has both. */
export function* gapBetween(rows: readonly Row[], chances: Chances): Steps<Evaluation['gap']> {
  const pair = yield* bestKnownPair(rows);
  if (pair === null) return null;
  const [strongTarget, weakTarget] = pair;
  yield;
  const gap = gapOf(
    rows.flatMap(({ scores }, at) => {
      const [strong, weak] = [scores[strongTarget], scores[weakTarget]];
      if (strong === undefined || weak === undefined) return [];
      return { gain: chances[at]![strongTarget]! - chances[at]![weakTarget]!, strong, weak };
    }),
  );
  return gap === null ? null : { ...gap, strongTarget, weakTarget };
}

/** The quantiles of the strong target's gain, over typical calls. */
function* gainsOf(model: SmartModel, strong: string, weak: string, calls: readonly Row[]): Steps<number[]> {
  const gains: number[] = [];
  for (const [at, { features }] of calls.entries()) {
    if (at % CHUNK === 0) yield;
    const [high, low] = predictEach(model, features, [strong, weak]);
    gains.push(high! - low!);
  }
  gains.sort((one, other) => one - other);
  return Array.from({ length: QUANTILES + 1 }, (_, at) => gains[Math.round((at / QUANTILES) * (gains.length - 1))]!);
}

/** All targets that have scores, in the order of their names. */
export function targetsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))].sort();
}

/** The settings with the least error on one half when learned on the other, both ways. */
function* chooseSettings(rows: readonly Row[], targets: readonly string[], seed: number): Steps<FitSettings> {
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
      loss += yield* errorOf(model, judged!, targets);
    }
    if (loss < best.loss) best = { settings, loss };
  }
  return best.settings;
}

/**
 * What settings are chosen by. It is differences between targets that calls are routed by: so, where rows know several
 * targets, how far off the predicted differences are, squared; else log loss.
 */
function* errorOf(model: SmartModel, rows: readonly Row[], targets: readonly string[]): Steps<number> {
  let differences = 0;
  let losses = 0;
  for (const [row, { features, scores }] of rows.entries()) {
    if (row % CHUNK === 0) yield;
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

function* dialOf(
  model: SmartModel,
  targets: readonly string[],
  learned: readonly Row[],
  calls: readonly Row[],
): Steps<Dial | null> {
  const means = targets.map((target) => ({ target, mean: meanScore(learned, target) }));
  if (means.length < 2) return null;
  means.sort((one, other) => other.mean - one.mean);
  const [strong, weak] = [means[0]!.target, means.at(-1)!.target];
  return { strong, weak, gains: yield* gainsOf(model, strong, weak, calls) };
}

/** The two targets that most rows have in common; the better one first. */
function* bestKnownPair(rows: readonly Row[]): Steps<readonly [string, string] | null> {
  const targets = targetsOf(rows);
  let best: { pair: readonly [string, string]; both: Row[] } | null = null;
  for (const [at, one] of targets.entries()) {
    for (const other of targets.slice(at + 1)) {
      yield;
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

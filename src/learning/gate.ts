import type { Row } from './fit.ts';
import { crossEntropy, mean } from './measure.ts';
import type { SmartModel } from './model.ts';
import type { Steps } from './steps.ts';
import { type Chances, chancesOf, gapBetween } from './train.ts';

export type Verdict = { notWorse: boolean; reason: string; figures: Figures };

/** For candidate and current model: mean log loss over all scores, and APGR over rows with two targets. */
export type Figures = {
  scores: number;
  logLoss: readonly [candidate: number, present: number];
  apgr: readonly [candidate: number, present: number] | null;
};

const MIN_SCORES = 50;
const MIN_PAIRS = 200;
/** With a few hundred rows, APGR varies by more than this at random. */
const APGR_TOLERANCE = 0.02;

/**
 * True if a candidate may replace the current model. Both are judged on the same held-out rows (`isHeldOut`). It may not if
 * - there are fewer than 50 scores to judge by,
 * - its log loss is higher by more than one standard error of the difference, score by score,
 * - or at least 200 rows know two targets, and its APGR is lower by more than 0.02.
 */
export function* isNotWorse(candidate: SmartModel, present: SmartModel, heldOutRows: readonly Row[]): Steps<Verdict> {
  const chances = [yield* chancesOf(candidate, heldOutRows), yield* chancesOf(present, heldOutRows)] as const;
  yield;
  const losses = lossesOf(heldOutRows, chances);
  if (losses.length < MIN_SCORES) {
    return {
      notWorse: false,
      reason: `There are ${losses.length} held-out scores; ${MIN_SCORES} are needed to judge.`,
      figures: { scores: losses.length, logLoss: [Number.NaN, Number.NaN], apgr: null },
    };
  }
  const mine = yield* gapBetween(heldOutRows, chances[0]);
  const theirs = yield* gapBetween(heldOutRows, chances[1]);
  const apgr = mine && theirs && mine.pairs >= MIN_PAIRS ? ([mine.apgr, theirs.apgr] as const) : null;
  const logLoss = [mean(losses.map(([own]) => own!)), mean(losses.map(([, other]) => other!))] as const;
  const figures: Figures = { scores: losses.length, logLoss, apgr };
  const differences = losses.map(([own, other]) => own! - other!);
  const more = logLoss[0] - logLoss[1];
  if (more > standardError(differences)) {
    return { notWorse: false, reason: `Its log loss is higher by ${more.toFixed(4)}.`, figures };
  }
  if (apgr !== null && apgr[0] < apgr[1] - APGR_TOLERANCE) {
    return { notWorse: false, reason: `Its APGR is lower by ${(apgr[1] - apgr[0]).toFixed(3)}.`, figures };
  }
  return { notWorse: true, reason: 'It is not worse on the held-out rows.', figures };
}

/** For each score, the losses of the candidate and of the current model. */
function lossesOf(rows: readonly Row[], chances: readonly Chances[]): number[][] {
  return rows.flatMap(({ scores }, at) =>
    Object.entries(scores).map(([target, score]) => chances.map((each) => crossEntropy(each[at]![target]!, score))),
  );
}

function standardError(values: readonly number[]): number {
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}

/** How good predictions are, in numbers. Scores and chances go from 0 to 1. */

export type Quality = {
  rows: number;
  /** Mean of the scores. */
  baseRate: number;
  logLoss: number;
  /** Log loss of always predicting the base rate. */
  baseLogLoss: number;
  brier: number;
  /** `null` if all scores are on one side of 0.5. */
  auc: number | null;
};

/** A row with scores of both targets. Rows are ordered by `gain`: the higher, the more the row needs the strong target. */
export type Pair = { gain: number; strong: number; weak: number };

export type Gap = {
  pairs: number;
  /** Mean scores of the strong and the weak target. */
  strong: number;
  weak: number;
  /** The recovered share of the gap between them, by the percentage of rows at the strong target: 0 … 100. */
  recovered: readonly number[];
  /** The mean of `recovered`; 0.5 for random choice. */
  apgr: number;
  /** The same mean if the scores were known beforehand. */
  oracle: number;
};

const PERCENTAGES = Array.from({ length: 101 }, (_, percentage) => percentage);
/** Chances are clipped to this, so that no loss is infinite. */
const EPSILON = 1e-6;

/** Throws `RangeError` for no rows. */
export function qualityOf(chances: readonly number[], scores: readonly number[]): Quality {
  if (scores.length === 0) throw new RangeError('There is nothing to measure.');
  const baseRate = mean(scores);
  return {
    rows: scores.length,
    baseRate,
    logLoss: mean(scores.map((score, at) => crossEntropy(chances[at]!, score))),
    baseLogLoss: mean(scores.map((score) => crossEntropy(baseRate, score))),
    brier: mean(scores.map((score, at) => (chances[at]! - score) ** 2)),
    auc: areaUnderCurve(chances, scores),
  };
}

/** `null` if there is no gap to recover: the strong target is not better. */
export function gapOf(pairs: readonly Pair[]): Gap | null {
  const strong = mean(pairs.map((pair) => pair.strong));
  const weak = mean(pairs.map((pair) => pair.weak));
  if (!(strong > weak)) return null;
  const recovered = recoveredBy(pairs);
  const known = recoveredBy(pairs.map((pair) => ({ ...pair, gain: pair.strong - pair.weak })));
  return { pairs: pairs.length, strong, weak, recovered, apgr: mean(recovered), oracle: mean(known) };
}

export function crossEntropy(chance: number, score: number): number {
  const sure = Math.min(1 - EPSILON, Math.max(EPSILON, chance));
  return -(score * Math.log(sure) + (1 - score) * Math.log(1 - sure));
}

/** `NaN` without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of the gap recovered at each percentage. Rows of equal gain count as in the mean of all their orders. */
function recoveredBy(pairs: readonly Pair[]): number[] {
  const ordered = pairs.toSorted((one, other) => other.gain - one.gain);
  const gained = [0];
  for (let from = 0; from < ordered.length; ) {
    let to = from + 1;
    while (to < ordered.length && ordered[to]!.gain === ordered[from]!.gain) to += 1;
    const each = mean(ordered.slice(from, to).map((pair) => pair.strong - pair.weak));
    for (; from < to; from += 1) gained.push(gained[from]! + each);
  }
  const whole = gained.at(-1)!;
  return PERCENTAGES.map((percentage) => {
    const at = (percentage / 100) * ordered.length;
    const below = gained[Math.floor(at)]!;
    const above = gained[Math.ceil(at)]!;
    return (below + (above - below) * (at - Math.floor(at))) / whole;
  });
}

/** The probability that a good row ranks above a bad one; ties count a half. */
function areaUnderCurve(chances: readonly number[], scores: readonly number[]): number | null {
  const order = chances.map((_, at) => at).sort((one, other) => chances[one]! - chances[other]!);
  let good = 0;
  let ranks = 0;
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && chances[order[to]!] === chances[order[from]!]) to += 1;
    const rank = (from + to + 1) / 2;
    for (; from < to; from += 1) {
      if (scores[order[from]!]! < 0.5) continue;
      good += 1;
      ranks += rank;
    }
  }
  const bad = order.length - good;
  return good === 0 || bad === 0 ? null : (ranks - (good * (good + 1)) / 2) / (good * bad);
}

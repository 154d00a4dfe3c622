import type { TrainedVersion } from '../../learning/training.ts';
import { type Column, table } from '../table.ts';

/** Shares of strong calls for which the recovered gap is shown. */
const SHARES = [10, 20, 30, 50, 70];

type TrainedTarget = { name: string } & TrainedVersion['evaluation']['targets'][string];

const COLUMNS: readonly Column<TrainedTarget>[] = [
  { title: 'TARGET', of: ({ name }) => name },
  { title: 'SCORES', of: ({ rows }) => `${rows}`, align: 'right' },
  { title: 'MEAN', of: ({ baseRate }) => baseRate.toFixed(3), align: 'right' },
  { title: 'LOG LOSS', of: ({ logLoss }) => logLoss.toFixed(4), align: 'right' },
  { title: 'OF THE MEAN', of: ({ baseLogLoss }) => baseLogLoss.toFixed(4), align: 'right' },
  { title: 'BRIER', of: ({ brier }) => brier.toFixed(4), align: 'right' },
  { title: 'AUC', of: ({ auc }) => (auc === null ? '-' : auc.toFixed(3)), align: 'right' },
];

/** A training in words: the rows, the result on held-out rows, and whether it is in force. */
export function trainedText(routeId: string, rowsRead: number, trained: TrainedVersion): string {
  const { version, trainedRows, unreadable, evaluation, live, verdict } = trained;
  const targets = Object.entries(evaluation.targets).map(([name, quality]) => ({ name, ...quality }));
  return [
    [
      ...(rowsRead === 0 ? [] : [`${rowsRead} rows were read.`]),
      `${routeId} learned from ${trainedRows} rows; ${evaluation.rows} others were held out for testing.`,
      ...(unreadable === 0 ? [] : [`${unreadable} rows of another version of this software were skipped.`]),
    ].join('\n'),
    ...(targets.length === 0 ? [] : [table(COLUMNS, targets)]),
    ...gapLines(evaluation.gap),
    `${version} is stored and ${live ? 'live' : 'not live'}. ${verdict}`,
  ].join('\n\n');
}

function gapLines(gap: TrainedVersion['evaluation']['gap']): string[] {
  if (gap === null) return [];
  const { pairs, strongTarget, weakTarget, strong, weak, apgr, oracle, recovered } = gap;
  const shares = SHARES.map((share) => `${share} %: ${Math.round(recovered[share]! * 100)} %`).join(', ');
  return [
    `Of ${pairs} held-out rows both ${strongTarget} (${strong.toFixed(3)}) and ${weakTarget} (${weak.toFixed(3)}) have a score.\n` +
      `Recovered part of the gap by share of calls to ${strongTarget}: ${shares}.\n` +
      `Its area (APGR) is ${apgr.toFixed(3)}; 0.5 is chance, ${oracle.toFixed(3)} is a perfect choice.`,
  ];
}

export function trainedJson(trained: TrainedVersion): Record<string, unknown> {
  const { version, trainedRows, unreadable, evaluation, live, verdict } = trained;
  const { gap, targets } = evaluation;
  return {
    version,
    trained_rows: trainedRows,
    unreadable_rows: unreadable,
    held_out_rows: evaluation.rows,
    targets: Object.fromEntries(
      Object.entries(targets).map(([name, { rows, baseRate, logLoss, baseLogLoss, brier, auc }]) => [
        name,
        { scores: rows, mean: baseRate, log_loss: logLoss, log_loss_of_the_mean: baseLogLoss, brier, auc },
      ]),
    ),
    gap: gap && {
      pairs: gap.pairs,
      strong_target: gap.strongTarget,
      weak_target: gap.weakTarget,
      strong: gap.strong,
      weak: gap.weak,
      apgr: gap.apgr,
      oracle: gap.oracle,
      recovered: gap.recovered,
    },
    live,
    verdict,
  };
}

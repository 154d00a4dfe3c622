import { NONE, table } from '../report/markdown.ts';
import { slope, spread } from '../report/statistics.ts';
import type { Health } from './health.ts';
import type { MixedResult } from './mixed-load.ts';

export type Soak = {
  date: string;
  machine: string;
  minutes: number;
  maxPerSecond: number;
  result: MixedResult;
  /** Why the records do not match the calls; `null` if they do. */
  recordFault: string | null;
  series: Health[];
};

const BYTES_PER_MB = 1024 ** 2;
const SECONDS_PER_HOUR = 3600;

/** The report of a long run, in Markdown. */
export function soakReport({ date, machine, minutes, maxPerSecond, result, recordFault, series }: Soak): string {
  const { succeeded, left, failed, wrong, faults, perSecond } = result;
  const facts = [
    `date: ${date.slice(0, 16).replace('T', ' ')} UTC`,
    `machine: ${machine}`,
    `${minutes} minutes at ${perSecond.toFixed(0)} calls a second, half of the ${maxPerSecond.toFixed(0)} that one core can`,
    `${succeeded} calls were answered, ${left} callers left in the middle, ${failed} calls failed at the vendor as they should`,
    `wrong answers: ${wrong}`,
    `records: ${recordFault ?? 'one of each call'}`,
    `growth of RSS over the last half: ${growth(series).toFixed(1)} MB an hour`,
  ];
  const told = faults.length === 0 ? [] : [`First wrong answers:\n\n${faults.map((fault) => `- ${fault}`).join('\n')}`];
  return ['# Soak', MIXTURE_TEXT, facts.map((fact) => `- ${fact}`).join('\n'), ...told, seriesTable(series)]
    .join('\n\n')
    .concat('\n');
}

/** Megabytes per hour: the slope of the line that fits the second half best. */
export function growth(series: readonly Health[]): number {
  const half = series.slice(Math.floor(series.length / 2));
  const perSecond = slope(
    half.map(({ atSeconds }) => atSeconds),
    half.map(({ rss }) => rss),
  );
  return (perSecond * SECONDS_PER_HOUR) / BYTES_PER_MB;
}

function seriesTable(series: readonly Health[]): string {
  const quarter = Math.max(1, Math.floor(series.length / 4));
  const columns = [series.slice(0, quarter), series, series.slice(-quarter)];
  const row = (name: string, of: (health: Health) => number | null, digits: number) => [
    name,
    ...columns.map((column) => {
      const values = column.map(of).filter((value) => value !== null);
      return spread(values)?.median.toFixed(digits) ?? NONE;
    }),
    spread(series.map(of).filter((value) => value !== null))?.max.toFixed(digits) ?? NONE,
  ];
  return table(
    ['medians', 'first quarter', 'all', 'last quarter', 'highest'],
    [
      row('RSS, MB', ({ rss }) => rss / BYTES_PER_MB, 1),
      row('heap used, MB', ({ heapUsed }) => (heapUsed === null ? null : heapUsed / BYTES_PER_MB), 1),
      row('open files', (health) => health.openFiles, 0),
      row('event-loop lag p99, ms', ({ lagMs }) => lagMs, 1),
    ],
  );
}

const MIXTURE_TEXT = `One gateway under mixed work: chats, agent requests, streams, translated streams, embeddings, callers who leave in the middle
of a stream, and calls that fail at the vendor.`;

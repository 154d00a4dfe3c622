import { moneyText } from '../../core/money-text.ts';
import { nanoOf } from '../spend-text.ts';
import { type Column, table } from '../table.ts';

type ShownServing = { provider: string; model: string } | null;
type Move = { from: ShownServing; to: ShownServing; calls: number };

/** What a draft would change, as the HTTP API gives it. Amounts are dollars. */
export type ShownReplay = {
  calls: number;
  complete: boolean;
  moved: number;
  moves: readonly Move[];
  expected_cost: { calls: number; before_usd: number; after_usd: number } | null;
  expected_quality: { calls: number; before: number; after: number } | null;
  unserved: { calls: number; errors: Readonly<Record<string, number>> };
};

/** The effect of a draft, for people. */
export function replayText({ calls, moved, moves, unserved, ...expected }: ShownReplay): string {
  const parts = [
    `${moved} of ${calls} would go to another target (${percent(moved, calls)}).`,
    costText(expected.expected_cost),
    chanceText(expected.expected_quality),
    ...(unserved.calls === 0 ? [] : [unservedText(unserved.errors)]),
  ];
  return `${table(COLUMNS, moves)}\n\n${parts.join('\n')}`;
}

const COLUMNS: readonly Column<Move>[] = [
  { title: 'FROM', of: ({ from }) => targetText(from) },
  { title: 'TO', of: ({ from, to }) => (isSame(from, to) ? 'the same' : targetText(to)) },
  { title: 'CALLS', of: ({ calls }) => `${calls}`, align: 'right' },
];

function targetText(target: ShownServing): string {
  return target === null ? 'nobody' : `${target.model} of ${target.provider}`;
}

function isSame(one: ShownServing, other: ShownServing): boolean {
  return one?.provider === other?.provider && one?.model === other?.model;
}

function costText(cost: ShownReplay['expected_cost']): string {
  if (cost === null) return 'No call has a price both before and after.';
  const { calls, before_usd: before, after_usd: after } = cost;
  const change = before === 0 ? '' : ` (${signedPercent((after - before) / before)})`;
  return `Expected cost of ${calls}: ${dollarText(before)} before, ${dollarText(after)} after${change}.`;
}

function chanceText(quality: ShownReplay['expected_quality']): string {
  if (quality === null) return 'No call has an expected quality both before and after.';
  const { calls, before, after } = quality;
  return `Expected quality of ${calls}: ${before.toFixed(3)} before, ${after.toFixed(3)} after.`;
}

function unservedText(errors: ShownReplay['unserved']['errors']): string {
  const kinds = Object.entries(errors).map(([kind, count]) => `${kind} (${count})`);
  return `Nobody would serve some calls: ${kinds.join(', ')}.`;
}

function dollarText(usd: number): string {
  return moneyText(nanoOf(usd));
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}

function signedPercent(part: number): string {
  return `${part < 0 ? '-' : '+'}${Math.round(Math.abs(part) * 100)} %`;
}

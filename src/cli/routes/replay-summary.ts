import { moneyText } from '../../core/money-text.ts';
import type { BeforeAndAfter, ReplayMove, ReplayResult, ReplayServing } from '../../core/replay.ts';
import { type Column, table } from '../table.ts';

/** The effect of a draft, for people. */
export function replayText({ calls, moved, moves, unserved, cost, chance }: ReplayResult): string {
  const parts = [
    `${moved} of ${calls} would go to another target (${percent(moved, calls)}).`,
    costText(cost),
    chanceText(chance),
    ...(unserved.size === 0 ? [] : [unservedText(unserved)]),
  ];
  return `${table(COLUMNS, moves)}\n\n${parts.join('\n')}`;
}

const COLUMNS: readonly Column<ReplayMove>[] = [
  { title: 'FROM', of: ({ from }) => targetText(from) },
  { title: 'TO', of: ({ from, to }) => (isSame(from, to) ? 'the same' : targetText(to)) },
  { title: 'CALLS', of: ({ calls }) => `${calls}`, align: 'right' },
];

function targetText(target: ReplayServing): string {
  return target === null ? 'nobody' : `${target.upstreamModel} of ${target.provider}`;
}

function isSame(one: ReplayServing, other: ReplayServing): boolean {
  return one?.provider === other?.provider && one?.upstreamModel === other?.upstreamModel;
}

function costText({ calls, before, after }: BeforeAndAfter): string {
  if (calls === 0) return 'No call has a price both before and after.';
  const change = before === 0 ? '' : ` (${signedPercent((after - before) / before)})`;
  return `Expected cost of ${calls}: ${nanoText(before)} before, ${nanoText(after)} after${change}.`;
}

function chanceText({ calls, before, after }: BeforeAndAfter): string {
  if (calls === 0) return 'No call has an expected quality both before and after.';
  return `Expected quality of ${calls}: ${(before / calls).toFixed(3)} before, ${(after / calls).toFixed(3)} after.`;
}

function unservedText(unserved: ReplayResult['unserved']): string {
  const kinds = [...unserved].map(([kind, count]) => `${kind} (${count})`).join(', ');
  return `Nobody would serve some calls: ${kinds}.`;
}

function nanoText(nano: number): string {
  return moneyText(BigInt(Math.round(nano)));
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}

function signedPercent(part: number): string {
  return `${part < 0 ? '-' : '+'}${Math.round(Math.abs(part) * 100)} %`;
}

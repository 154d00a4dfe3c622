import { FACTS, type Pace } from '../workloads.ts';
import { show, showRatio, table } from './markdown.ts';
import { ofKind, type Part, type Results, type WorkSample } from './samples.ts';
import { spread } from './statistics.ts';

/** From this fraction on, a contestant has no more of its core to give. */
const FULLY_BUSY = 0.9;

/** The costs of one part at one pace; empty without measurements. */
export function workTable(results: Results, part: Part, pace: Pace): string {
  const all = ofKind(results, 'work').filter((sample) => sample.part === part && sample.pace === pace);
  const names = [...new Set(all.map(({ contestant }) => contestant))];
  if (names.length === 0) return '';
  const { unit, units } = FACTS[all[0]!.workload];
  const head = [
    'contestant',
    `CPU µs per ${unit}`,
    'times nginx',
    'times net proxy',
    'times http proxy',
    `${unit}s a second`,
    pace === 'rate' ? 'asked for' : `${unit}s a second that one core can`,
  ];
  return table(
    head,
    names.map((name) => {
      const mine = all.filter(({ contestant }) => contestant === name);
      return [
        name,
        show(spread(mine.map(({ cpuMicros }) => cpuMicros / units)), 1),
        ...['nginx', 'net proxy', 'http proxy'].map((other) => showRatio(ratios(mine, all, other), 2)),
        show(spread(mine.map(({ perSecond }) => perSecond * units)), 0),
        pace === 'rate' ? askedOf(mine) : show(spread(mine.map((sample) => ofOneCore(sample) * units)), 0),
      ];
    }),
  );
}

/** The ratios to another contestant's costs, by round. */
export function ratios(mine: readonly WorkSample[], all: readonly WorkSample[], other: string): number[] {
  return mine.flatMap(({ round, cpuMicros }) => {
    const theirs = all.find((each) => each.contestant === other && each.round === round);
    return theirs === undefined ? [] : [cpuMicros / theirs.cpuMicros];
  });
}

/**
 * The measured rate if the contestant was always busy; otherwise, because load or upstream were slower, the rate that
 * its CPU time would allow.
 */
function ofOneCore({ busy, perSecond, cpuMicros }: WorkSample): number {
  return busy >= FULLY_BUSY && busy <= 1 ? perSecond : 1e6 / cpuMicros;
}

function askedOf(mine: readonly WorkSample[]): string {
  const { rate } = FACTS[mine[0]!.workload];
  const asked = [...new Set(mine.map(({ asked }) => asked))].join(', ');
  return 'streams' in rate ? `${asked} streams` : asked;
}

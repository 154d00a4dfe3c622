import type { Bench } from '../bench.ts';
import { type Entrant, inTurn } from '../entrants.ts';
import type { Part } from '../report/samples.ts';
import { FACTS, PACES, type Pace, type Workload } from '../workloads.ts';
import { rateOrder, saturationOrder, setGap, tryMeasure, warm } from './measure.ts';

/** The samples of one comparison. `paces`: all by default. */
export type Work = { part: Part; workload: Workload; paces?: readonly Pace[] };

/** Measures what one workload costs each contestant, at each pace. */
export async function compareWork(
  bench: Bench,
  { part, workload, paces = PACES }: Work,
  entrants: readonly Entrant[],
): Promise<void> {
  let able = await warm(bench, entrants, workload);
  for (const pace of paces) {
    await setGap(bench, pace);
    for (let round = 0; round < bench.rounds; round += 1) {
      for (const entrant of inTurn(able, round)) {
        if (!(await measureWork(bench, { part, workload, pace, round }, entrant)))
          able = able.filter((each) => each !== entrant);
      }
    }
  }
}

/** Returns false if the contestant did not answer. */
async function measureWork(
  bench: Bench,
  at: { part: Part; workload: Workload; pace: Pace; round: number },
  entrant: Entrant,
): Promise<boolean> {
  const { workload, pace } = at;
  const route = entrant.routes[workload]!;
  const { asked, order } =
    pace === 'rate'
      ? rateOrder(bench, workload, entrant, route)
      : { asked: FACTS[workload].connections, order: saturationOrder(bench, workload, route) };
  const measured = await tryMeasure(bench, entrant, order);
  if (measured === null) return false;
  const { cpuMicros, perSecond, busy } = measured;
  bench.keep({ kind: 'work', ...at, contestant: entrant.name, cpuMicros, perSecond, busy, asked });
  return true;
}

import type { Bench } from '../bench.ts';
import { passingRoute } from '../contestants/passing.ts';
import { type Entrant, inTurn } from '../entrants.ts';
import type { LoadOrder } from '../load/order.ts';
import { ALONE, WAYS, type Way } from '../report/samples.ts';
import type { Workload } from '../workloads.ts';
import { rateOrder, saturationOrder, setGap, tryMeasure, warm } from './measure.ts';

/** The number of streams whose first words are awaited at once. */
const FIRST_WORD_STREAMS = 8;

const WORKLOAD_OF: Readonly<Record<Way, Workload>> = { rate: 'chat', 'one caller': 'chat', 'first word': 'stream' };

/** Measures the duration of answers through each contestant, and from the upstream alone in the same rounds. */
export async function compareLatency(bench: Bench, entrants: readonly Entrant[]): Promise<void> {
  const all = [upstreamAlone(bench), ...entrants];
  for (const way of WAYS) {
    const workload = WORKLOAD_OF[way];
    let able = await warm(bench, all, workload);
    for (let round = 0; round < bench.rounds; round += 1) {
      for (const entrant of inTurn(able, round)) {
        if (!(await measureLatency(bench, way, round, entrant))) able = able.filter((each) => each !== entrant);
      }
    }
  }
  await setGap(bench, 'saturation');
}

/** Returns false if the contestant did not answer. */
async function measureLatency(bench: Bench, way: Way, round: number, entrant: Entrant): Promise<boolean> {
  const measured = await tryMeasure(bench, entrant, orderOf(bench, way, entrant));
  if (measured === null) return false;
  const { perSecond, latency, firstContent } = measured;
  const times = way === 'first word' ? firstContent : latency;
  if (times !== null) bench.keep({ kind: 'latency', way, contestant: entrant.name, round, perSecond, ...times });
  return true;
}

function orderOf(bench: Bench, way: Way, entrant: Entrant): LoadOrder & { workload: Workload } {
  const workload = WORKLOAD_OF[way];
  const route = entrant.routes[workload]!;
  switch (way) {
    case 'rate':
      return rateOrder(bench, workload, entrant, route).order;
    case 'one caller':
      return { ...saturationOrder(bench, workload, route), connections: 1 };
    case 'first word':
      return { ...saturationOrder(bench, workload, route), connections: FIRST_WORD_STREAMS };
    default:
      return way satisfies never;
  }
}

function upstreamAlone({ upstream }: Bench): Entrant {
  const routes = { chat: passingRoute(upstream.port, 'chat'), stream: passingRoute(upstream.port, 'stream') };
  return {
    name: ALONE,
    optional: false,
    pid: upstream.pid,
    routes,
    answers: 0,
    peaks: new Map(),
    async [Symbol.asyncDispose]() {},
  };
}

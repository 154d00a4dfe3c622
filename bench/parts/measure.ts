import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Entrant, oneLine } from '../entrants.ts';
import type { LoadOrder, LoadResult, Route } from '../load/order.ts';
import { cpuMicros } from '../machine/cpu.ts';
import { FACTS, FRAME_GAP_MS, type Pace, RATE_CONNECTIONS, type Workload } from '../workloads.ts';

/** `cpuMicros` is per answer; `busy` is the fraction of one core. */
export type Measured = LoadResult & { cpuMicros: number; perSecond: number; busy: number };

/** Background work of a contestant belongs to the requests before it. */
const SETTLE_MS = 250;
/** Some contestants close connections that are idle for seconds; with fewer connections, bursts would wait. */
const FEWEST_CONNECTIONS = 8;
const REQUESTS_PER_CONNECTION = 10;
/** The share of its capacity at which a contestant is measured if it cannot reach the fixed rate. */
const EASY_SHARE = 0.5;

/**
 * Measures one contestant. All connections are closed before the clock is read, so that each microsecond belongs to an
 * answer.
 */
export async function measure(bench: Bench, entrant: Entrant, order: LoadOrder): Promise<Measured> {
  const before = cpuMicros(entrant.pid);
  const result = await bench.load.drive(order);
  entrant.answers += result.answers;
  await delay(SETTLE_MS);
  const used = cpuMicros(entrant.pid) - before;
  return {
    ...result,
    cpuMicros: used / result.answers,
    perSecond: (result.answers * 1000) / result.elapsedMs,
    busy: used / (result.elapsedMs * 1000),
  };
}

/** As `measure`, but returns `null` for an optional contestant that answers wrongly, and reports it. */
export async function tryMeasure(
  bench: Bench,
  entrant: Entrant,
  order: LoadOrder & { workload: Workload },
): Promise<Measured | null> {
  try {
    return await measure(bench, entrant, order);
  } catch (error) {
    if (!entrant.optional) throw error;
    bench.note(`${entrant.name} is left out of \`${order.workload}\`: ${oneLine(error)}`);
    return null;
  }
}

/** Warms up each contestant, and measures its capacity once per workload. Returns those that answered. */
export async function warm(bench: Bench, entrants: readonly Entrant[], workload: Workload): Promise<Entrant[]> {
  await setGap(bench, 'saturation');
  const warmed: Entrant[] = [];
  for (const entrant of entrants) {
    const route = entrant.routes[workload];
    if (route === undefined) continue;
    if (!entrant.peaks.has(workload)) {
      const measured = await tryMeasure(
        bench,
        entrant,
        saturationOrder({ seconds: bench.warmSeconds }, workload, route),
      );
      if (measured === null) continue;
      entrant.peaks.set(workload, measured.perSecond);
    }
    warmed.push(entrant);
  }
  return warmed;
}

/** Sets the interval between the frames of the upstream's streams. */
export function setGap(bench: Bench, pace: Pace): Promise<void> {
  return bench.upstream.setGap(FRAME_GAP_MS[pace]);
}

export function saturationOrder({ seconds }: Pick<Bench, 'seconds'>, workload: Workload, route: Route) {
  const { connections, streamed } = FACTS[workload];
  const apartMs = streamed ? FRAME_GAP_MS.saturation / connections : 0;
  return { kind: 'closed', workload, route, ms: seconds * 1000, connections, apartMs } as const;
}

/**
 * The fixed rate, or what the contestant can do easily if that is less. `asked` is requests per second, or simultaneous
 * streams.
 */
export function rateOrder({ seconds }: Bench, workload: Workload, entrant: Entrant, route: Route) {
  const { rate, units } = FACTS[workload];
  const easy = (entrant.peaks.get(workload) ?? Number.POSITIVE_INFINITY) * EASY_SHARE;
  const ms = seconds * 1000;
  if ('streams' in rate) {
    const streams = Math.max(1, Math.min(rate.streams, Math.floor((easy * units * FRAME_GAP_MS.rate) / 1000)));
    const apartMs = FRAME_GAP_MS.rate / streams;
    return { asked: streams, order: { kind: 'closed', workload, route, ms, connections: streams, apartMs } } as const;
  }
  const perSecond = Math.max(1, Math.min(rate.perSecond, Math.floor(easy)));
  const wanted = Math.ceil(perSecond / REQUESTS_PER_CONNECTION);
  const connections = Math.max(FEWEST_CONNECTIONS, Math.min(RATE_CONNECTIONS, wanted));
  return { asked: perSecond, order: { kind: 'open', workload, route, ms, connections, perSecond } } as const;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Entrant, oneLine } from '../field.ts';
import type { LoadOrder, LoadResult, Route } from '../load/order.ts';
import { cpuMicros } from '../machine/cpu.ts';
import { FACTS, FRAME_GAP_MS, type Pace, RATE_CONNECTIONS, type Workload } from '../workloads.ts';

/** `cpuMicros` for each answer; `busy` is the share of one core. */
export type Measured = LoadResult & { cpuMicros: number; perSecond: number; busy: number };

/** What a contestant does in the background belongs to the requests before it. */
const SETTLE_MS = 250;
/** Connections that rest for seconds are closed by some; fewer than this would make bursts wait. */
const FEWEST_CONNECTIONS = 8;
const REQUESTS_PER_CONNECTION = 10;
/** Who cannot give the fixed rate is asked for this share of what it can. */
const EASY_SHARE = 0.5;

/** Drives one contestant. All connections are closed before the clock is read, so that each microsecond belongs to an answer. */
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

/** As `measure`; an optional one that does not answer as it should is told of, and gives `null`. */
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

/** As a server is after its first minute, and tells how much it can: of those that answered, once for each workload. */
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

/** Tells the upstream how far apart the frames of streams shall be. */
export function setGap(bench: Bench, pace: Pace): Promise<void> {
  return bench.upstream.setGap(FRAME_GAP_MS[pace]);
}

export function saturationOrder({ seconds }: Pick<Bench, 'seconds'>, workload: Workload, route: Route) {
  const { connections, streamed } = FACTS[workload];
  const apartMs = streamed ? FRAME_GAP_MS.saturation / connections : 0;
  return { kind: 'closed', workload, route, ms: seconds * 1000, connections, apartMs } as const;
}

/** The fixed rate, or what this contestant can do easily where that is less; `asked` is requests a second, or streams at once. */
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

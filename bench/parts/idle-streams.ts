import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Starter, Vendor } from '../contestants/contestant.ts';
import { type Entrant, inTurn, oneLine, startField } from '../entrants.ts';
import { memoryOf, mostFiles } from '../machine/process-memory.ts';
import { saturationOrder, setGap, tryMeasure } from './measure.ts';

/** The numbers of idle streams for which memory is measured. */
export const IDLE_STREAMS = [0, 1000, 5000] as const;

/** Memory varies less than time between rounds, and opening streams takes long. */
const MOST_ROUNDS = 3;
/** The time for a contestant to free memory before it is measured. */
const SETTLE_MS = 1000;
const WARM_SECONDS = 1;
/** One socket to each side. */
const FILES_PER_STREAM = 2;
const OTHER_FILES = 512;

/** Measures the memory of contestants with many open, silent streams. Each round has its own processes. */
export async function compareMemory(bench: Bench, starters: readonly Starter[], vendor: Vendor): Promise<void> {
  const counts = IDLE_STREAMS.filter((count) => count * FILES_PER_STREAM + OTHER_FILES <= mostFiles());
  const left = IDLE_STREAMS.filter((count) => !counts.includes(count));
  if (left.length > 0)
    bench.note(`No ${left.join(' and no ')} idle streams: a process may open ${mostFiles()} files here.`);
  for (let round = 0; round < Math.min(bench.rounds, MOST_ROUNDS); round += 1) {
    for (const starter of inTurn(starters, round)) {
      await using field = await startField(bench, [starter], { vendor });
      const [entrant] = field.entrants;
      if (entrant !== undefined) await fill(bench, round, entrant, counts);
    }
  }
  await setGap(bench, 'saturation');
}

async function fill(bench: Bench, round: number, entrant: Entrant, counts: readonly number[]): Promise<void> {
  const route = entrant.routes.stream!;
  const warming = saturationOrder({ seconds: Math.min(bench.seconds, WARM_SECONDS) }, 'chat', entrant.routes.chat!);
  if ((await tryMeasure(bench, entrant, warming)) === null) return;
  await bench.upstream.setGap(null);
  let open = 0;
  try {
    for (const streams of counts) {
      await bench.load.drive({ kind: 'hold', route, streams: streams - open });
      open = streams;
      await delay(SETTLE_MS);
      bench.keep({ kind: 'memory', contestant: entrant.name, round, streams, ...memoryOf(entrant.pid) });
    }
  } catch (error) {
    if (!entrant.optional) throw error;
    bench.note(`${entrant.name} did not hold more than ${open} idle streams: ${oneLine(error)}`);
  } finally {
    await bench.load.drive({ kind: 'release' });
  }
}

import { parseArgs } from 'node:util';
import { gatewayRoutes, startGateway } from './contestants/headgate.ts';
import { startLoad, startUpstream } from './helpers.ts';
import { cpuMicros, firstThreadMicros } from './machine/cpu.ts';
import { pin, pinFirstThread } from './machine/pin.ts';
import { spread } from './report/statistics.ts';

/**
 * `node bench/live-cost.ts [--rounds 15] [--seconds 3] [--rate 1000]`: measures the cost of a call while a console
 * watches `GET /v1/usage/live`, compared with no watcher. Rounds take turns. Prints medians in CPU microseconds, of the
 * process and of the thread that answers calls, and the ratios of the rounds: their median with its 95 % confidence
 * interval (by ranks).
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '1000' },
  },
});
const ROUNDS = Number(values.rounds);
const WARM_MS = 8_000;
const CONNECTIONS = 64;

type Cost = { process: number; callsThread: number };

using upstream = await startUpstream();
using load = startLoad();
pin(upstream.pid, 'upstream');
pin(load.pid, 'load');
await using gateway = await startGateway({ url: upstream.url, caFile: null });
pinFirstThread(gateway.pid);
const order = {
  kind: 'open',
  workload: 'chat',
  route: gatewayRoutes(gateway).chat,
  connections: CONNECTIONS,
  perSecond: Number(values.rate),
} as const;
await load.drive({ ...order, ms: WARM_MS });

const pairs: [alone: Cost, watched: Cost][] = [];
let [events, watchedMs] = [0, 0];
for (let round = 0; round < ROUNDS; round += 1) {
  if (round % 2 === 0) pairs.push([await cost(), await costWatched()]);
  else {
    const watched = await costWatched();
    pairs.push([await cost(), watched]);
  }
}
for (const what of ['process', 'callsThread'] as const) {
  const [alone, watched] = [0, 1].map((which) => spread(pairs.map((pair) => pair[which]![what]))!.median);
  const ratios = pairs.map(([before, after]) => after[what] / before[what]).sort((a, b) => a - b);
  const [low, high] = ranks(ratios.length).map((rank) => ratios[rank]!.toFixed(3));
  console.log(
    `${what}: ${alone!.toFixed(1)} µs a call alone, ${watched!.toFixed(1)} µs watched; ` +
      `ratio ${spread(ratios)!.median.toFixed(3)} (${low} to ${high}), ${ROUNDS} rounds`,
  );
}
console.log(`${((events * 1_000) / watchedMs).toFixed(1)} events a second came to the watcher`);

async function cost(): Promise<Cost> {
  const before = { process: cpuMicros(gateway.pid), callsThread: firstThreadMicros(gateway.pid) };
  const { answers } = await load.drive({ ...order, ms: Number(values.seconds) * 1_000 });
  return {
    process: (cpuMicros(gateway.pid) - before.process) / answers,
    callsThread: (firstThreadMicros(gateway.pid) - before.callsThread) / answers,
  };
}

async function costWatched(): Promise<Cost> {
  const leaving = new AbortController();
  const { body } = await fetch(`${gateway.url}/v1/usage/live`, {
    headers: { authorization: `Bearer ${gateway.key}` },
    signal: leaving.signal,
  });
  const reading = (async () => {
    for await (const part of body!.pipeThrough(new TextDecoderStream())) events += part.split('\ndata: ').length - 1;
  })().catch((error: Error) => {
    if (!leaving.signal.aborted) throw error;
  });
  const startedAt = performance.now();
  const measured = await cost();
  watchedMs += performance.now() - startedAt;
  leaving.abort();
  await reading;
  return measured;
}

/** The ranks of the 95 % confidence interval of the median of so many values. */
function ranks(count: number): [low: number, high: number] {
  const width = 1.96 * Math.sqrt(count) * 0.5;
  return [Math.max(0, Math.floor(count / 2 - width)), Math.min(count - 1, Math.ceil(count / 2 + width) - 1)];
}

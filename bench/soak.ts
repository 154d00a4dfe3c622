import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Running } from '../tests/support/headgate.ts';
import { gatewayRoutes, settledCalls, startGateway } from './contestants/headgate.ts';
import { startMixedLoad, startUpstream } from './helpers.ts';
import { cpuMicros } from './machine/cpu.ts';
import { pin } from './machine/pin.ts';
import { type Health, healthOf } from './soak/health.ts';
import type { MixedResult } from './soak/mixed-load.ts';
import { growth, type Soak, soakReport } from './soak/soak-report.ts';

/**
 * `npm run bench:soak -- [--minutes 20]`: half the capacity of one core with all kinds of work at once, while the
 * gateway's health is observed. Exits with 1 if an answer was wrong or a record is missing.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    'search-seconds': { type: 'string', default: '10' },
    layer: { type: 'string', default: 'fast' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
  },
});
/** Compilers also work in the first seconds. */
const WARM_SHARE = 0.5;
const SEARCH_CALLERS = 64;
const CALLERS = 400;
const LOOK_EVERY_MS = 10_000;
/** Calls whose callers disconnect are settled a moment later. */
const SETTLE_MS = 10_000;
const SETTLE_LOOK_MS = 100;

const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes is a number above 0.');

using upstream = await startUpstream();
using load = startMixedLoad();
await using gateway = await startGateway(
  { url: upstream.url, caFile: null },
  { env: { HEADGATE_HTTP_LAYER: values.layer } },
);
pin(gateway.pid, 'contestant');
pin(load.pid, 'load');
pin(upstream.pid, 'upstream');
const routes = gatewayRoutes(gateway);

const searchMs = Number(values['search-seconds']) * 1000;
const warmed = await load.drive({ routes, callers: SEARCH_CALLERS, ms: searchMs * WARM_SHARE, perSecond: null });
const cpuBefore = cpuMicros(gateway.pid);
const searchedAt = performance.now();
const searched = await load.drive({ routes, callers: SEARCH_CALLERS, ms: searchMs, perSecond: null });
const busy = (cpuMicros(gateway.pid) - cpuBefore) / ((performance.now() - searchedAt) * 1000);
// Callers wait for streams, so the core may have been idle for a part.
const maxPerSecond = searched.perSecond / Math.min(1, busy);
console.log(`one core can ${maxPerSecond.toFixed(0)} calls a second; half of it for ${minutes} minutes`);

const running = load.drive({ routes, callers: CALLERS, ms: minutes * 60_000, perSecond: maxPerSecond / 2 });
const series = await watch(running);
const result = await running;
const recordFault = await faultOfRecords(gateway, [warmed, searched, result]);
const soak: Soak = {
  date: new Date().toISOString(),
  machine: `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Linux ${release()}, Node ${process.version}`,
  minutes,
  maxPerSecond,
  result: {
    ...result,
    wrong: result.wrong + warmed.wrong + searched.wrong,
    faults: [...warmed.faults, ...searched.faults, ...result.faults],
  },
  recordFault,
  series,
};
mkdirSync(values.results, { recursive: true });
writeFileSync(join(values.results, 'soak.md'), soakReport(soak));
writeFileSync(join(values.results, 'soak.json'), `${JSON.stringify(soak, null, 1)}\n`);
console.log(`\n${soakReport(soak)}`);
process.exitCode = soak.result.wrong === 0 && recordFault === null ? 0 : 1;

/** Observes the gateway until the load ends. */
async function watch(until: Promise<unknown>): Promise<Health[]> {
  const series: Health[] = [];
  const startedAt = performance.now();
  const over = until.then(() => true);
  do {
    series.push(await healthOf(gateway, (performance.now() - startedAt) / 1000));
    const { atSeconds, rss, lagMs } = series.at(-1)!;
    console.log(`${atSeconds.toFixed(0)} s: ${(rss / 1024 ** 2).toFixed(1)} MB, lag ${lagMs?.toFixed(1)} ms`);
  } while (!(await Promise.race([over, delay(LOOK_EVERY_MS, false)])));
  if (series.length > 2) console.log(`RSS grew by ${growth(series).toFixed(1)} MB an hour over the last half`);
  return series;
}

/**
 * Each call has one settled record with its outcome. A stream may have ended before the gateway noticed that its caller
 * had disconnected.
 */
async function faultOfRecords(of: Running, results: readonly MixedResult[]): Promise<string | null> {
  const sum = (count: (result: MixedResult) => number) => results.reduce((total, each) => total + count(each), 0);
  const [answered, left, failing] = [
    sum((each) => each.succeeded),
    sum((each) => each.left),
    sum((each) => each.failed),
  ];
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const settled = await settledCalls(of);
    const [succeeded, cancelled, failed] = (['succeeded', 'cancelled', 'failed'] as const).map(
      (status) => settled.get(status) ?? 0,
    ) as [number, number, number];
    if (failed === failing && succeeded + cancelled === answered + left && succeeded >= answered) return null;
    if (performance.now() > deadline) {
      const told = JSON.stringify(Object.fromEntries(settled));
      return `${told} for ${answered} calls that were answered, ${left} that were left and ${failing} that failed`;
    }
    await delay(SETTLE_LOOK_MS);
  }
}

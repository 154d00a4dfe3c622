import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { netProxy } from './contestants/bare.ts';
import { headgateStarter } from './contestants/headgate.ts';
import { nginx } from './contestants/nginx.ts';
import { type Entrant, startField } from './entrants.ts';
import { startLoad, startUpstream } from './helpers.ts';
import { firstThreadMicros } from './machine/cpu.ts';
import { pin, pinFirstThread } from './machine/pin.ts';
import { measure, rateOrder, saturationOrder, setGap, warm } from './parts/measure.ts';
import { spread } from './report/statistics.ts';
import { FACTS, PACES, type Pace, WORKLOADS, type Workload } from './workloads.ts';

/**
 * `node bench/before-after.ts --before FOLDER [--only chat,…] [--pace rate|saturation] [--starts 5] [--rounds 3]
 * [--seconds 2] [--warm 8] [--before-env NAME=VALUE]… [--after-env NAME=VALUE]… [--before-restricts-by models]`:
 * measures the cost of a change. This checkout and the one in FOLDER run side by side and take turns, beside nginx and
 * the net proxy (the minimum for Node.js). It prints medians, and the median of the ratios of all starts, with the
 * smallest and largest, and the medians by start.
 *
 * All are restarted `--starts` times, because two processes of one checkout differ by up to 9 % for as long as they
 * run, depending on what V8 compiled first. `--warm` is long, because more code takes longer to compile. Threads other
 * than the one that answers calls may use every core. With `--before .` and an environment, it measures a setting:
 * `--before-env HEADGATE_LOG_LEVEL=warn`. The last option is for checkouts in which a provider's `models` restricts it.
 */
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    'before-env': { type: 'string', multiple: true, default: [] },
    'after-env': { type: 'string', multiple: true, default: [] },
    'before-restricts-by': { type: 'string', default: 'only' },
    only: { type: 'string', default: 'chat,agent,stream' },
    pace: { type: 'string', multiple: true, default: [...PACES] },
    starts: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    warm: { type: 'string', default: '8' },
  },
});
if (values.before === undefined) throw new Error('--before is the folder of another checkout.');

/** The results of one turn of a checkout, in microseconds per answer. `p99` only if requests began at fixed times. */
type Turn = { process: number; callsThread: number; perSecond: number; p99: number | null };

using upstream = await startUpstream();
using load = startLoad();
pin(upstream.pid, 'upstream');
pin(load.pid, 'load');
const bench: Bench = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmSeconds: Number(values.warm),
  upstream,
  load,
  keep: () => {},
  note: (text) => console.log(text),
  wants: () => true,
};
const checkouts = [
  headgateStarter('before', 'the other checkout', {
    bin: join(resolve(values.before), 'bin/headgate.js'),
    env: environmentOf(values['before-env']),
    restrictsBy: values['before-restricts-by'] === 'models' ? 'models' : 'only',
  }),
  headgateStarter('after', 'this checkout', { env: environmentOf(values['after-env']) }),
];
const floors = nginx.prepare() === null ? [nginx, netProxy] : [netProxy];
const workloads = values.only.split(',').map((name) => {
  const known = WORKLOADS.find((each) => each === name);
  if (known === undefined) throw new Error(`--only is some of ${WORKLOADS.join(', ')}.`);
  return known;
});
/** The turns of each entrant in each start, by workload and pace. */
const comparisons = new Map<string, Map<string, Turn[]>[]>();
for (let start = 0; start < Number(values.starts); start += 1) await compareOnce(start);
for (const [title, starts] of comparisons) {
  console.log(`\n${title}`);
  for (const what of ['process', 'callsThread', 'perSecond', 'p99'] as const) tell(what, starts);
}

async function compareOnce(start: number): Promise<void> {
  const ordered = start % 2 === 0 ? checkouts : checkouts.toReversed();
  await using field = await startField(bench, [...ordered, ...floors], { vendor: { url: upstream.url, caFile: null } });
  for (const { pid, name } of field.entrants)
    if (checkouts.some((checkout) => checkout.name === name)) pinFirstThread(pid);
  for (const workload of workloads) {
    const able = await warm(bench, field.entrants, workload);
    for (const pace of PACES) if (values.pace.includes(pace)) await compare(able, workload, pace);
  }
}

function environmentOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
}

async function compare(entrants: readonly Entrant[], workload: Workload, pace: Pace): Promise<void> {
  await setGap(bench, pace);
  const turns = new Map<string, Turn[]>(entrants.map(({ name }) => [name, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const entrant of inTurn(entrants, round)) turns.get(entrant.name)!.push(await turn(entrant, workload, pace));
  }
  const title = `${FACTS[workload].title}, ${pace}`;
  comparisons.set(title, [...(comparisons.get(title) ?? []), turns]);
}

/**
 * The two checkouts change places with each round, followed by the others. No entrant has two turns in a row: warm
 * caches made the second turn 15 % cheaper at a fixed rate.
 */
function inTurn(entrants: readonly Entrant[], round: number): readonly Entrant[] {
  const [first, second, ...others] = entrants;
  if (first === undefined || second === undefined || others.length === 0) return entrants;
  return round % 2 === 0 ? entrants : [second, first, ...others];
}

async function turn(entrant: Entrant, workload: Workload, pace: Pace): Promise<Turn> {
  const route = entrant.routes[workload]!;
  const order =
    pace === 'rate' ? rateOrder(bench, workload, entrant, route).order : saturationOrder(bench, workload, route);
  const before = firstThreadMicros(entrant.pid);
  const { cpuMicros, perSecond, answers, latency } = await measure(bench, entrant, order);
  const callsThread = (firstThreadMicros(entrant.pid) - before) / answers;
  return { process: cpuMicros, callsThread, perSecond, p99: order.kind === 'open' ? (latency?.p99 ?? null) : null };
}

function tell(what: keyof Turn, starts: readonly ReadonlyMap<string, readonly Turn[]>[]): void {
  const mediansOf = (name: string) =>
    starts.flatMap((turns) => spread(turns.get(name)?.flatMap((each) => each[what] ?? []) ?? [])?.median ?? []);
  const before = mediansOf('before');
  const ratio = spread(mediansOf('after').map((after, start) => after / before[start]!));
  if (ratio === null) return;
  const names = [...new Set(starts.flatMap((turns) => [...turns.keys()]))];
  const medians = names.map((name) => `${name} ${spread(mediansOf(name))!.median.toFixed(1)}`);
  const range = `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`;
  console.log(`  ${what}: ${medians.join(', ')}; after / before ${ratio.median.toFixed(3)} (${range})`);
  const eachStart = ['before', 'after'].map(
    (name) =>
      `${name} ${mediansOf(name)
        .map((each) => each.toFixed(0))
        .join(' ')}`,
  );
  console.log(`    by start: ${eachStart.join('; ')}`);
}

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { netProxy } from './contestants/bare.ts';
import { headgateStarter } from './contestants/headgate.ts';
import { nginx } from './contestants/nginx.ts';
import { type Entrant, startField } from './field.ts';
import { startLoad, startUpstream } from './helpers.ts';
import { firstThreadMicros } from './machine/cpu.ts';
import { pin, pinFirstThread } from './machine/pin.ts';
import { measure, rateOrder, saturationOrder, setGap, warm } from './parts/measure.ts';
import { spread } from './report/statistics.ts';
import { FACTS, PACES, type Pace, WORKLOADS, type Workload } from './workloads.ts';

/**
 * `node bench/before-after.ts --before FOLDER [--only chat,…] [--pace rate|saturation] [--rounds 9] [--seconds 2] [--warm 4]
 * [--before-env NAME=VALUE]… [--after-env NAME=VALUE]… [--before-restricts-by models]`: what a change costs. This
 * checkout and the one in FOLDER run side by side and take turns, beside nginx and the net proxy, the least that Node can do.
 * Told are medians, and the median of the ratios of each round, smallest and largest beside it. Threads other than the one
 * that answers calls may use every core. With `--before .` and an environment, it tells what a setting costs:
 * `--before-env HEADGATE_LOG_LEVEL=warn`. The last option is for a checkout in which a provider's `models` restricts.
 */
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    'before-env': { type: 'string', multiple: true, default: [] },
    'after-env': { type: 'string', multiple: true, default: [] },
    'before-restricts-by': { type: 'string', default: 'only' },
    only: { type: 'string', default: 'chat,agent,stream' },
    pace: { type: 'string', multiple: true, default: [...PACES] },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    warm: { type: 'string', default: '4' },
  },
});
if (values.before === undefined) throw new Error('--before is the folder of another checkout.');

/** What one turn of one checkout came to. Microseconds of an answer; `p99` where requests began at their times. */
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
await using field = await startField(bench, [...checkouts, ...floors], { vendor: { url: upstream.url, caFile: null } });
for (const { pid, name } of field.entrants)
  if (checkouts.some((checkout) => checkout.name === name)) pinFirstThread(pid);

for (const workload of values.only.split(',')) {
  const known = WORKLOADS.find((each) => each === workload);
  if (known === undefined) throw new Error(`--only is some of ${WORKLOADS.join(', ')}.`);
  const able = await warm(bench, field.entrants, known);
  for (const pace of PACES) if (values.pace.includes(pace)) await compare(able, known, pace);
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
  console.log(`\n${FACTS[workload].title}, ${pace}`);
  for (const what of ['process', 'callsThread', 'perSecond', 'p99'] as const) tell(what, turns);
}

/**
 * The two checkouts change places with each round, behind them whoever else there is. Nobody has two turns in a row: caches that
 * are still warm made the second one 15 % cheaper at a fixed rate.
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

function tell(what: keyof Turn, turns: ReadonlyMap<string, readonly Turn[]>): void {
  const seriesOf = (name: string) => turns.get(name)?.flatMap((each) => each[what] ?? []) ?? [];
  const [before, after] = [seriesOf('before'), seriesOf('after')];
  const ratio = spread(after.map((value, round) => value / before[round]!));
  if (ratio === null) return;
  const medians = [...turns.keys()].map((name) => `${name} ${spread(seriesOf(name))!.median.toFixed(1)}`);
  const range = `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`;
  console.log(`  ${what}: ${medians.join(', ')}; after / before ${ratio.median.toFixed(3)} (${range})`);
}

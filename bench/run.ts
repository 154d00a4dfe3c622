import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { contestantsWith } from './contestants/all.ts';
import { netProxy } from './contestants/bare.ts';
import type { Starter } from './contestants/contestant.ts';
import { assertRecorded, startField } from './entrants.ts';
import { startLoad, startUpstream } from './helpers.ts';
import { cannotPin, pin } from './machine/pin.ts';
import { compareMemory } from './parts/idle-streams.ts';
import { compareLatency } from './parts/latency.ts';
import { compareScaling } from './parts/scaling.ts';
import { compareStart } from './parts/start.ts';
import { compareTls } from './parts/tls.ts';
import { compareWork } from './parts/work.ts';
import { chart } from './report/chart.ts';
import { report } from './report/report.ts';
import { PARTS, type Part, type Results, type Sample } from './report/samples.ts';
import { WORKLOADS } from './workloads.ts';

/**
 * `npm run bench -- [--against nginx,portkey,litellm] [--rounds 5] [--seconds 5] [--warm 6] [--only chat,…]
 * [--scaling]`: measures the cost of Headgate, beside others with the same work. `--again` makes the tables and the
 * chart from the stored samples.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string', default: 'nginx' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '6' },
    only: { type: 'string', default: PARTS.filter((part) => part !== 'scaling').join() },
    scaling: { type: 'boolean', default: false },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    again: { type: 'boolean', default: false },
  },
});
const samplesFile = join(values.results, 'latest.json');

if (values.again) write(JSON.parse(readFileSync(samplesFile, 'utf8')) as Results);
else write(await run());

async function run(): Promise<Results> {
  const parts = partsOf(values.only);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds is a whole number above 0.');
  if (!(seconds > 0)) throw new Error('--seconds is a number above 0.');

  using upstream = await startUpstream();
  using load = startLoad();
  const samples: Sample[] = [];
  const notes = new Set<string>();
  const bench: Bench = {
    rounds,
    seconds,
    warmSeconds: Number(values.warm),
    upstream,
    load,
    keep(sample) {
      samples.push(sample);
      console.log(toldOf(sample));
    },
    note(text) {
      if (!notes.has(text)) console.log(text);
      notes.add(text);
    },
    wants: (part) => parts.has(part),
  };
  const why = cannotPin();
  if (why !== null) bench.note(why);
  pin(upstream.pid, 'upstream');
  pin(load.pid, 'load');

  const wanted = contestantsWith(values.against.split(',').filter((name) => name !== ''));
  const starters = wanted.filter((starter) => {
    const cannot = starter.prepare();
    if (cannot !== null) bench.note(`${starter.name} is left out: ${cannot}`);
    return cannot === null;
  });
  const facts = {
    date: new Date().toISOString(),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Linux ${release()}, load ${loadavg()[0]?.toFixed(2)} at the start`,
    node: process.version,
    contestants: starters.map(({ name, about }) => ({ name, about })),
  };
  await runParts(bench, starters);
  return { ...facts, rounds, seconds, notes: [...notes], samples };
}

async function runParts(bench: Bench, starters: readonly Starter[]): Promise<void> {
  const vendor = { url: bench.upstream.url, caFile: null };
  if (bench.wants('start')) await compareStart(bench, starters, vendor);
  if (bench.wants('memory')) await compareMemory(bench, starters, vendor);
  if (bench.wants('scaling')) await compareScaling(bench, vendor);
  if (bench.wants('tls'))
    await compareTls(
      bench,
      starters.filter((starter) => starter !== netProxy),
      vendor,
    );
  const sideBySide = [...WORKLOADS, 'latency'] as const;
  if (!sideBySide.some((part) => bench.wants(part))) return;
  await using field = await startField(bench, starters, { vendor });
  for (const workload of WORKLOADS)
    if (bench.wants(workload)) await compareWork(bench, { part: workload, workload }, field.entrants);
  if (bench.wants('latency')) await compareLatency(bench, field.entrants);
  await assertRecorded(field);
}

function partsOf(only: string): Set<Part> {
  const named = only.split(',').map((name) => {
    const part = PARTS.find((each) => each === name);
    if (part === undefined) throw new Error(`--only knows ${PARTS.join(', ')}, and no ${name}.`);
    return part;
  });
  return new Set(values.scaling ? [...named, 'scaling'] : named);
}

function toldOf(sample: Sample): string {
  const of = `round ${sample.round + 1}, ${sample.contestant}:`;
  switch (sample.kind) {
    case 'work':
      return `${sample.part}, ${sample.workload} (${sample.pace}), ${of} ${sample.cpuMicros.toFixed(1)} µs an answer, ${sample.perSecond.toFixed(0)} a second`;
    case 'latency':
      return `latency (${sample.way}), ${of} p50 ${sample.p50.toFixed(0)} µs, p99 ${sample.p99.toFixed(0)} µs`;
    case 'memory':
      return `memory (${sample.streams} streams), ${of} ${(sample.pss / 1024 ** 2).toFixed(1)} MB`;
    case 'start':
      return `start, ${of} ${sample.ms.toFixed(0)} ms`;
    default:
      return sample satisfies never;
  }
}

function write(results: Results): void {
  if (!existsSync(values.results)) mkdirSync(values.results, { recursive: true });
  const text = report(results);
  writeFileSync(join(values.results, 'latest.md'), text);
  writeFileSync(join(values.results, 'latest.svg'), chart(results));
  if (!values.again) writeFileSync(samplesFile, jsonOf(results));
  console.log(`\n${text}`);
}

/** One sample per line. */
function jsonOf({ samples, ...facts }: Results): string {
  const lines = samples.map((sample) => `    ${JSON.stringify(sample)}`);
  return `${JSON.stringify(facts, null, 2).slice(0, -2)},\n  "samples": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

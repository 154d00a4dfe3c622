import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuMicros } from './cpu.ts';
import { assertRecorded, startGateway } from './gateway.ts';
import { startLoad, startServer } from './helpers.ts';
import { startNginx } from './nginx.ts';
import { type ProxyName, report, type Sample } from './report.ts';
import { MODEL, PACES, type Pace, TRANSLATED_MODEL, WORKS, type Work } from './work.ts';

/** `npm run bench -- [--rounds 5] [--seconds 5] [--pace rate|saturation]`: what Headgate costs, beside nginx and a bare proxy, on the same work. */
const PATH = '/v1/chat/completions';
const RESULT = fileURLToPath(new URL('results/latest.md', import.meta.url));

/** What a proxy does in the background belongs to the requests before it. */
const SETTLE_MS = 250;

/** A proxy under test: where it listens for each work, and the process whose family does its work. */
type Contestant = { name: ProxyName; pid: number; ports: Readonly<Record<Work, number>>; model?: string };

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    pace: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

using upstream = await startServer('upstream.ts');
using bare = await startServer('bare-proxy.ts', `http://127.0.0.1:${upstream.port}`);
using load = startLoad();
await using nginx = await startNginx(upstream.port);
await using gateway = await startGateway(upstream.port);
if (nginx === null) console.log('There is no nginx, and it could not be installed: no ratios.');

const gatewayPort = Number(new URL(gateway.url).port);
const contestants: Contestant[] = [
  ...(nginx === null ? [] : [{ name: 'nginx' as const, pid: nginx.pid, ports: nginx.ports }]),
  { name: 'headgate', pid: gateway.pid, ports: { small: gatewayPort, stream: gatewayPort } },
  {
    name: 'headgate, translating',
    pid: gateway.pid,
    ports: { small: gatewayPort, stream: gatewayPort },
    model: TRANSLATED_MODEL,
  },
  { name: 'bare proxy', pid: bare.pid, ports: { small: bare.port, stream: bare.port } },
];
const samples: Sample[] = [];
let gatewayAnswers = 0;

for (const pace of PACES.filter((each) => values.pace === undefined || each === values.pace)) {
  for (const work of WORKS) await compare(work, pace);
}
await assertRecorded(gateway, gatewayAnswers);

const text = report(samples, { date: new Date(), rounds, seconds, nginx: nginx?.version ?? null });
mkdirSync(fileURLToPath(new URL('results', import.meta.url)), { recursive: true });
writeFileSync(RESULT, text);
console.log(`\n${text}`);

async function compare(work: Work, pace: Pace): Promise<void> {
  const alone = await drive(upstream.port, work, pace);
  console.log(`${work} (${pace}): the upstream alone gives ${Math.round(alone.perSecond)} answers a second`);
  // Warm first, as a server is after its first minute: at a rate alone a compiler would take longer than we measure.
  for (const contestant of contestants) await measure(contestant, work, 'saturation');
  for (let round = 0; round < rounds; round += 1) {
    // Each is first, second and last in turn, so that none always follows the same.
    for (let place = 0; place < contestants.length; place += 1) {
      const contestant = contestants[(round + place) % contestants.length]!;
      const sample = { pace, work, proxy: contestant.name, round, ...(await measure(contestant, work, pace)) };
      console.log(`${work} (${pace}), round ${round + 1}: ${sample.proxy} ${sample.cpuMicros.toFixed(1)} µs an answer`);
      samples.push(sample);
    }
  }
}

/** All connections are closed before the clock is read, so each microsecond belongs to an answer that was counted. */
async function measure(
  { pid, ports, model }: Contestant,
  work: Work,
  pace: Pace,
): Promise<{ cpuMicros: number; perSecond: number }> {
  const before = cpuMicros(pid);
  const { answers, perSecond } = await drive(ports[work], work, pace, model);
  if (pid === gateway.pid) gatewayAnswers += answers;
  await delay(SETTLE_MS);
  return { cpuMicros: (cpuMicros(pid) - before) / answers, perSecond };
}

async function drive(
  port: number,
  work: Work,
  pace: Pace,
  model = MODEL,
): Promise<{ answers: number; perSecond: number }> {
  const order = { port, path: PATH, key: gateway.key, work, pace, model, ms: seconds * 1000 };
  const { answers, elapsedMs } = await load.drive(order);
  return { answers, perSecond: (answers * 1000) / elapsedMs };
}

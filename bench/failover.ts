import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answer as normal } from '../src/testing/answers.ts';
import { FAULTS } from '../src/testing/faults.ts';
import { closedPort, listen } from '../src/testing/listen.ts';
import { insert, type Plan } from '../src/testing/reply.ts';
import { ROUTE_OF, type RouteLabOptions, startRouteLab } from '../tests/routes/lab.ts';
import { type Answered, quantile, startTraffic, type Traffic } from '../tests/routes/traffic.ts';

/**
 * Measures what a dead vendor adds to the calls of a route with another vendor, both calls in progress when it is
 * detected and later ones; and the load on a vendor that fails and recovers, by its callers' behaviour. Prints ms and
 * ratios. Callers, vendors and gateway share the machine, so each figure is compared with a route whose vendors are all
 * healthy.
 */

const CALLS = 10_000;
const CALLERS = 50;
/** The pause between two calls of a caller, so that nobody waits for the machine. */
const PAUSE_MS = 40;
const PATIENT = { first_byte: 60_000, whole: 60_000, idle: 60_000, total: 60_000, connect: 3000 };

/** How long a vendor fails, and then answers. Load is measured per span. */
const DOWN_MS = 3000;
const UP_MS = 7000;
const SPAN_MS = 2000;

if (!process.argv.includes('--load')) await compareLatencies();
await compareLoads();

async function compareLatencies(): Promise<void> {
  await latencies('all vendors are well', {});
  await latencies('the first refuses connections', { url: `http://127.0.0.1:${await closedPort()}/v1` });
  const hole = createServer((socket) => void socket.on('error', () => undefined).resume());
  await latencies('the first cannot be reached (connect: 3 s)', {
    url: `https://127.0.0.1:${await listen(hole, 0)}/v1`,
  });
  hole.close();
}

async function compareLoads(): Promise<void> {
  console.log('\nrequests a vendor has for each call of its callers: in all, and the most in any two seconds');
  for (const callers of [50, 150]) {
    for (const afterMs of [5, 1000]) {
      for (const fault of ['overloaded', 'server-error'] as const) {
        for (const model of ['one-model', ROUTE_OF[1], ROUTE_OF[2]]) {
          await recovery({ callers, afterMs, fault, model });
        }
      }
    }
  }
}

async function latencies(name: string, { url }: { url?: string }): Promise<void> {
  const options: RouteLabOptions = { breaker: null, timeouts: PATIENT };
  await using lab = await startRouteLab(url === undefined ? options : { ...options, providers: { one: { url } } });
  await using traffic = startTraffic(lab.gateway);
  // Opens connections and lets code be compiled.
  await traffic.calls('two-model', 2000, CALLERS);
  const answers = await paced(traffic, ROUTE_OF[2], CALLS);
  const failed = answers.filter(({ status }) => status !== 200).length;
  console.log(`${name}: ${answers.length} calls, ${failed} not answered`);
  print(
    '  asked the dead one first',
    answers.filter(({ attempts }) => attempts > 1),
  );
  print(
    '  all others',
    answers.filter(({ attempts }) => attempts === 1),
  );
}

/** Callers that pause between their calls. */
async function paced(traffic: Traffic, model: string, count: number): Promise<Answered[]> {
  const answers: Answered[] = [];
  const caller = async (place: number) => {
    await delay((PAUSE_MS * place) / CALLERS);
    for (let sent = place; sent < count; sent += CALLERS) {
      answers.push(await traffic.call(model));
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, place) => caller(place)));
  return answers;
}

function print(name: string, answers: readonly Answered[]): void {
  if (answers.length === 0) return;
  const times = answers.map(({ tookMs }) => tookMs);
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(2));
  console.log(`${name}: ${times.length} calls, p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
}

type Recovery = { callers: number; afterMs: number; fault: 'overloaded' | 'server-error'; model: string };

/**
 * A vendor that fails each call after a delay, and later answers after the same delay. Its callers send the next call
 * at once.
 */
async function recovery({ callers, afterMs, fault, model }: Recovery): Promise<void> {
  await using lab = await startRouteLab({ breaker: null, timeouts: PATIENT });
  await using traffic = startTraffic(lab.gateway, lab.gateway.key, callers);
  const { one } = lab.vendors;
  const arrived: number[] = [];
  const sent: number[] = [];
  const counted =
    (plan: Plan): Plan =>
    (request) => {
      arrived.push(performance.now());
      return insert(plan, 0, { waitMs: afterMs })(request);
    };
  one.plan(counted(FAULTS[fault].plan));
  const startedAt = performance.now();
  const upAt = startedAt + DOWN_MS;
  const endAt = upAt + UP_MS;
  setTimeout(() => {
    one.forget();
    one.plan(counted(normal()));
  }, DOWN_MS);
  let refused = 0;
  const caller = async () => {
    while (performance.now() < endAt) {
      sent.push(performance.now());
      const { status } = await traffic.call(model);
      if (status === 503) refused += 1;
      // Without a pause, a caller that is refused at once would only retry.
      if (status !== 200) await delay(5);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const within = (times: readonly number[], from: number) =>
    times.filter((at) => at >= from && at < from + SPAN_MS).length;
  const spans = Array.from({ length: Math.floor((DOWN_MS + UP_MS) / SPAN_MS) }, (_, span) => startedAt + span * SPAN_MS)
    .filter((from) => within(sent, from) >= callers)
    .map((from) => within(arrived, from) / within(sent, from));
  const down = arrived.filter((at) => at < upAt).length / sent.filter((at) => at < upAt).length;
  const up = arrived.filter((at) => at >= upAt).length / sent.filter((at) => at >= upAt).length;
  console.log(
    `${model.padEnd(9)} ${String(callers).padStart(3)} callers, ${fault.padEnd(12)} after ${String(afterMs).padStart(4)} ms: ` +
      `down ${down.toFixed(3)}, up again ${up.toFixed(3)}, most ${Math.max(...spans).toFixed(3)} (${sent.length} calls, ${refused} refused)`,
  );
}

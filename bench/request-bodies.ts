import { DIALECTS } from '../src/dialects/built.ts';
import { requestBody } from './workloads.ts';

/**
 * `node bench/request-bodies.ts`: measures reading a request's body, writing the vendor's body, summarizing it for a route, and
 * all of this for a call with two attempts, beside one `JSON.parse`. Prints CPU microseconds, the smallest of several
 * rounds.
 */
const ROUNDS = 9;
const BYTES_A_ROUND = 40_000_000;
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048, json: { maxValues: 500_000, maxMembers: 40_000 } };
const PASSING = { upstreamModel: 'other', provider: 'lab', streamUsage: 'as-sent' } as const;
const ROUTED = { ...PASSING, drop: ['models', 'provider'] };

const { inbound, outbound } = DIALECTS.find(({ id }) => id === 'openai-chat')!;

for (const workload of ['chat', 'agent'] as const) {
  const body = Buffer.from(requestBody(workload, 'bench-model'));
  const call = inbound.readEnvelope(body, LIMITS);
  const works: Readonly<Record<string, () => unknown>> = {
    'JSON.parse': () => JSON.parse(body.toString()),
    read: () => inbound.readEnvelope(body, LIMITS),
    pass: () => outbound.passCall(call, PASSING),
    'read and pass': () => outbound.passCall(inbound.readEnvelope(body, LIMITS), PASSING),
    'look for routes': () => inbound.summarize(call),
    'routed, two targets': () => {
      const routed = inbound.readEnvelope(body, LIMITS);
      inbound.summarize(routed);
      outbound.passCall(routed, ROUTED);
      return outbound.passCall(routed, ROUTED);
    },
  };
  console.log(`${workload}, ${body.length} bytes`);
  for (const [name, micros] of measured(works, Math.ceil(BYTES_A_ROUND / (body.length + 1000)))) {
    console.log(`  ${name.padEnd(20)} ${micros.toFixed(2).padStart(8)} µs`);
  }
}

/** The works take turns, so that other load on the machine affects all of them. */
function measured(works: Readonly<Record<string, () => unknown>>, times: number): Map<string, number> {
  const least = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const before = process.cpuUsage();
      for (let count = 0; count < times; count += 1) work();
      const { user, system } = process.cpuUsage(before);
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / times));
    }
  }
  return least;
}

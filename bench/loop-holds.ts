import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Running, startHeadgate } from '../tests/support/headgate.ts';
import { type LoopHolds, type LoopMeter, loopMeter } from '../tests/support/loop-holds.ts';
import { ANSWERS, CALLS, MB, STREAMS } from './loop/large-bodies.ts';

/**
 * Measures how long the largest bodies hold a gateway's event loop, and so all other calls. Each goes through a gateway
 * of its own, whose longest turn of the loop is printed beside the allowed time.
 *
 * `npm run bench:loop -- PATTERN`: only bodies whose names match; with sizes of `LOOP_SIZES` megabytes (`4,16,60`).
 */

/** The smallest of so many runs is used: other load makes them longer, never shorter. */
const RUNS = 3;
const LEAST_ALLOWED_MS = 50;
const ALLOWED_MS_PER_MB = 10;
/** A line of a stream may have a quarter of the size of a whole answer. */
const MOST_LINE = 15 * MB;

/** `body` is sent to the gateway at `path`; `answer` is the vendor's. */
type Case = { name: string; path: string; body: Buffer; answer: Buffer; stream: boolean };

type Dialect = keyof typeof CALLS;
type Way = { name: string; from: Dialect; to: Dialect; path: string; model: string };

const PATHS: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
};
const PAIRS: readonly [Dialect, Dialect][] = [
  ['chat', 'chat'],
  ['chat', 'messages'],
  ['messages', 'messages'],
  ['messages', 'chat'],
  ['responses', 'responses'],
  ['responses', 'chat'],
  ['embeddings', 'embeddings'],
];
const WAYS: readonly Way[] = PAIRS.map(([from, to]) => ({
  name: `${from} to ${to}`,
  from,
  to,
  path: PATHS[from],
  model: `m-${to}`,
}));
const FURTHER_WAYS: readonly Way[] = [
  { name: 'chat, routed', from: 'chat', to: 'chat', path: PATHS.chat, model: 'lab/smart' },
  { name: 'messages, routed', from: 'messages', to: 'chat', path: PATHS.messages, model: 'lab/smart' },
  { name: 'tokens counted', from: 'messages', to: 'chat', path: `${PATHS.messages}/count_tokens`, model: 'm-chat' },
  { name: 'explained', from: 'chat', to: 'chat', path: '/v1/routes/lab/smart/explain', model: 'lab/smart' },
];

const SMALL_CALLS: Readonly<Record<Dialect, object>> = {
  chat: { messages: [{ role: 'user', content: 'a' }] },
  messages: { messages: [{ role: 'user', content: 'a' }], max_tokens: 9 },
  responses: { input: 'a' },
  embeddings: { input: 'a' },
};

const [pattern = ''] = process.argv.slice(2);
const sizes = (process.env.LOOP_SIZES ?? '4,16,60').split(',').map((size) => Number(size) * MB);
await main(new RegExp(pattern));

async function main(wanted: RegExp): Promise<void> {
  const vendor = await startVendor();
  const meter = loopMeter();
  const gateway = await startHeadgate({ config: configuration(vendor.url), env: meter.env });
  const parts = { vendor, meter, gateway };
  let [measured, beyond] = [0, 0];
  try {
    for (const bytes of sizes) {
      for (const { name, make } of cases(bytes)) {
        if (!wanted.test(name)) continue;
        measured += 1;
        const each = make();
        const size = Math.max(each.body.length, each.answer.length) / MB;
        const allowed = Math.max(LEAST_ALLOWED_MS, ALLOWED_MS_PER_MB * size);
        const { holdMs, cpuMs, status } = await least(parts, each);
        if (holdMs > allowed) beyond += 1;
        const columns = [
          name.padEnd(56),
          `${size.toFixed(1)} MB`.padStart(8),
          `${status}`,
          `holds ${ms(holdMs)} of ${ms(allowed)}`,
        ];
        console.log([...columns, `CPU ${ms(cpuMs)}`, ...(holdMs > allowed ? ['<- beyond'] : [])].join('  '));
      }
    }
  } finally {
    await gateway[Symbol.asyncDispose]();
    vendor.close();
  }
  console.log(`${measured} measured, ${beyond} beyond what is allowed`);
  process.exitCode = measured > 0 && beyond === 0 ? 0 : 1;
}

type Parts = { vendor: Vendor; meter: LoopMeter; gateway: Running };

async function least({ vendor, meter, gateway }: Parts, each: Case): Promise<LoopHolds & { status: number }> {
  vendor.plan(each);
  let best = { holdMs: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY, status: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    await meter.read();
    const status = await post(gateway, each);
    const { holdMs, cpuMs } = await meter.read();
    best = { holdMs: Math.min(best.holdMs, holdMs), cpuMs: Math.min(best.cpuMs, cpuMs), status };
  }
  return best;
}

/** Made one at a time: all together would exceed the memory. */
type Maker = { name: string; make(): Case };

function* cases(bytes: number): Generator<Maker> {
  for (const way of [...WAYS, ...FURTHER_WAYS]) {
    for (const [shape, make] of Object.entries(CALLS[way.from])) {
      yield maker(`${way.name}: ${shape}`, way, () => ({ body: json({ model: way.model, ...make(bytes) }) }));
    }
  }
  for (const way of WAYS) {
    for (const [shape, make] of Object.entries(ANSWERS[way.to])) {
      yield maker(`answer, ${way.name}: ${shape}`, way, () => ({ answer: json(make(bytes)) }));
    }
    if (way.to !== 'chat') continue;
    const body = json({ model: way.model, stream: true, ...SMALL_CALLS[way.from] });
    for (const [shape, make] of Object.entries(STREAMS)) {
      const answer = () => Buffer.from(make(Math.min(bytes, MOST_LINE)));
      yield maker(`stream, ${way.name}: ${shape}`, way, () => ({ body, answer: answer(), stream: true }));
    }
  }
}

/** The default of each member is small. */
function maker(name: string, { from, to, path, model }: Way, make: () => Partial<Case>): Maker {
  const body = json({ model, ...SMALL_CALLS[from] });
  const answer = json(ANSWERS[to][to === 'embeddings' ? 'vectors' : 'text']!(10_000));
  return { name, make: () => ({ name, path, body, answer, stream: false, ...make() }) };
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function ms(time: number): string {
  return `${time.toFixed(0).padStart(4)} ms`;
}

function configuration(url: string): string {
  const provider = (id: string, dialect: string) =>
    `  ${id}: { dialects: [${dialect}], base_url: "${url}", only: [{ id: m-${id}, context_window: 1000000000, price: { input_per_1m: 0.1, output_per_1m: 0.2 } }] }`;
  return `
limits: { max_loop_lag: 0, requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
providers:
${provider('chat', 'openai-chat')}
${provider('messages', 'anthropic-messages')}
${provider('responses', 'openai-responses')}
${provider('embeddings', 'openai-embeddings')}
routes:
  lab/smart: { strategy: [smart], targets: [m-chat, m-messages] }
`;
}

/** Answers every request with the planned answer. */
type Vendor = { url: string; plan(each: Case): void; close(): void };

function startVendor(): Promise<Vendor> {
  let planned: Case | null = null;
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      const type = planned?.stream ? 'text/event-stream' : 'application/json';
      const answer = planned?.answer ?? Buffer.from('{}');
      outgoing.writeHead(200, { 'content-type': type, 'content-length': answer.length }).end(answer);
    });
  });
  const plan = (each: Case) => {
    planned = each;
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}/v1`, plan, close: () => server.close() });
    });
  });
}

/** Resolves with the status when the answer is complete. */
function post({ url, key }: Running, { path, body }: Case): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

import type { Upstream, UpstreamListener, UpstreamRequest } from '../src/core/ports.ts';
import type { Model, Provider } from '../src/core/provider.ts';
import { TimerWheel } from '../src/deadlines/timer-wheel.ts';
import { Http1Upstream } from '../src/upstream/http1/http1.ts';
import { UndiciUpstream } from '../src/upstream/undici.ts';
import { startUpstream } from './helpers.ts';

/**
 * Compares the way to a vendor alone: the gateway's own HTTP/1.1 beside undici, in turns in one process. Prints this
 * process's CPU microseconds per call, and their ratio. The vendor answers from another process.
 */

const ROUNDS = 9;
/** Calls per round, and how many are open at once. */
const CALLS = { 'whole answer': 8_000, stream: 1_000 };
const OPEN = 64;
const OPTIONS = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 32_768,
  proxies: { http: null, https: null, no: null },
  wheel: new TimerWheel(() => performance.now()),
};
const BODY = Buffer.from(JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'x'.repeat(200) }] }));
const STREAM_BODY = Buffer.from(JSON.stringify({ ...JSON.parse(BODY.toString()), stream: true }));

using vendor = await startUpstream();
const node = new UndiciUpstream(OPTIONS);
const ways: Readonly<Record<string, Upstream>> = {
  own: new Http1Upstream({ ...OPTIONS, proxied: node }),
  undici: node,
};

for (const [name, body] of [
  ['whole answer', BODY],
  ['stream', STREAM_BODY],
] as const) {
  const request = requestOf(body);
  const micros: Record<string, number[]> = { own: [], undici: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [way, upstream] of Object.entries(ways)) {
      const took = await measure(upstream, request, CALLS[name]);
      if (round > 0) micros[way]!.push(took);
    }
  }
  const [own, undici] = [median(micros.own!), median(micros.undici!)];
  console.log(`${name}: own ${own.toFixed(1)} µs, undici ${undici.toFixed(1)} µs, ratio ${(undici / own).toFixed(2)}`);
}
process.exit();

/** CPU microseconds per call, with many open at once. */
function measure(upstream: Upstream, request: UpstreamRequest, calls: number): Promise<number> {
  const before = process.cpuUsage();
  let sent = 0;
  let ended = 0;
  return new Promise((resolve, reject) => {
    const listener: UpstreamListener = {
      onStart: () => undefined,
      onData: () => undefined,
      onFailure: reject,
      onEnd: () => {
        ended += 1;
        if (sent < calls) send();
        else if (ended === calls) {
          const { user, system } = process.cpuUsage(before);
          resolve((user + system) / calls);
        }
      },
    };
    const send = () => {
      sent += 1;
      upstream.send(request, listener);
    };
    for (let call = 0; call < OPEN; call += 1) send();
  });
}

function requestOf(body: Buffer): UpstreamRequest {
  const baseUrl = `http://127.0.0.1:${vendor.port}/v1`;
  const provider = { id: 'bench', label: 'Bench', baseUrl, transport: 'http' } as Provider;
  return {
    target: { provider, model: {} as Model, dialect: 'openai-chat', path: '/chat/completions' },
    method: 'POST',
    path: '/chat/completions',
    headers: ['content-type', 'application/json', 'accept', 'application/json', 'authorization', 'Bearer sk-bench'],
    body,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

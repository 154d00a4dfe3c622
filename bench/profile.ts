import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { closedPort } from '../src/testing/listen.ts';
import { gatewayRoutes, startGateway } from './contestants/headgate.ts';
import { startLoad, startUpstream } from './helpers.ts';
import type { LoadOrder } from './load/order.ts';
import { cpuMicros } from './machine/cpu.ts';
import { FACTS, FRAME_GAP_MS, PACES, type Pace, RATE_CONNECTIONS, WORKLOADS, type Workload } from './workloads.ts';

/**
 * `node bench/profile.ts [--work chat|agent|stream|translated|embeddings] [--pace rate|saturation] [--layer fast|node]
 * [--seconds 8] [--top 60]`: profiles the gateway under one workload, after a warm-up. Prints self time by function;
 * native functions with their caller. The profiler measures wall time, so on a busy machine system calls look more
 * expensive than they are.
 */
type CpuProfile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };
type ProfileNode = {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
};

const SAMPLE_MICROS = 100;
const ROOT = new URL('..', import.meta.url).href;

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: 'chat' },
    pace: { type: 'string', default: 'saturation' },
    layer: { type: 'string', default: 'fast' },
    seconds: { type: 'string', default: '8' },
    top: { type: 'string', default: '60' },
  },
});
const work = WORKLOADS.find((each) => each === values.work);
if (work === undefined) throw new Error(`--work is one of ${WORKLOADS.join(', ')}.`);

const pace = PACES.find((each) => each === values.pace);
if (pace === undefined) throw new Error(`--pace is one of ${PACES.join(', ')}.`);

const inspectorPort = await closedPort();
using upstream = await startUpstream();
using load = startLoad();
const env = { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`, HEADGATE_HTTP_LAYER: values.layer };
await using gateway = await startGateway({ url: upstream.url, caFile: null }, { env });
await upstream.setGap(FRAME_GAP_MS[pace]);
const order = orderOf(work, pace);

const profiler = await inspect(inspectorPort);
await load.drive(order);
await profiler('Profiler.enable');
await profiler('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
await profiler('Profiler.start');
const cpuBefore = cpuMicros(gateway.pid);
const { answers } = await load.drive(order);
const cpu = cpuMicros(gateway.pid) - cpuBefore;
const { profile } = (await profiler('Profiler.stop')) as { profile: CpuProfile };

const self = [...selfMicros(profile)].filter(([name]) => name !== '(idle)').toSorted((a, b) => b[1] - a[1]);
const busy = self.reduce((sum, [, micros]) => sum + micros, 0);
console.log(`${work}: ${answers} answers, ${(cpu / answers).toFixed(1)} µs of CPU for each with the profiler on`);
for (const [name, micros] of self.slice(0, Number(values.top))) {
  console.log(`${((micros / busy) * 100).toFixed(1).padStart(5)} %  ${name}`);
}
process.exit();

function orderOf(workload: Workload, at: Pace): LoadOrder {
  const { rate, streamed, connections } = FACTS[workload];
  const common = { workload, route: gatewayRoutes(gateway)[workload], ms: Number(values.seconds) * 1000 };
  if (at === 'rate' && 'perSecond' in rate)
    return { kind: 'open', ...common, connections: RATE_CONNECTIONS, perSecond: rate.perSecond };
  const count = at === 'rate' && 'streams' in rate ? rate.streams : connections;
  return { kind: 'closed', ...common, connections: count, apartMs: streamed ? FRAME_GAP_MS[at] / count : 0 };
}

/** Connects to the inspector of a process. https://chromedevtools.github.io/devtools-protocol/v8/ */
async function inspect(at: number): Promise<(method: string, params?: object) => Promise<unknown>> {
  const response = await fetch(`http://127.0.0.1:${at}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  let id = 0;
  return async (method, params = {}) => {
    id += 1;
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id, method, params }));
    const [message] = (await answered) as [{ data: string }];
    const { result, error } = JSON.parse(message.data);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Self time in microseconds by function. */
function selfMicros({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const micros = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = nameOf(byId.get(id)!, parents.get(id));
    micros.set(name, (micros.get(name) ?? 0) + timeDeltas[index]!);
  }
  return micros;
}

function nameOf({ callFrame }: ProfileNode, parent: ProfileNode | undefined): string {
  const { functionName, url, lineNumber } = callFrame;
  const name = functionName || '(anonymous)';
  if (url !== '') return `${name}  ${url.replace(ROOT, '')}:${lineNumber + 1}`;
  return name.startsWith('(') || parent === undefined ? name : `${name} <- ${nameOf(parent, undefined)}`;
}

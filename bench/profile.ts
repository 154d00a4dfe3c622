import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { closedPort } from '../src/testing/listen.ts';
import { cpuMicros } from './cpu.ts';
import { startGateway } from './gateway.ts';
import { startLoad, startServer } from './helpers.ts';
import { MODEL, PACES, WORKS } from './work.ts';

/**
 * `node bench/profile.ts [--work small|stream] [--pace rate|saturation] [--seconds 8] [--top 60]`: where the gateway's time goes under one work,
 * once it is warm. Prints self time by function; a native one is told with its caller. The profiler sees the time of the
 * clock, so on a machine that is busy otherwise system calls look dearer than they are.
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
    work: { type: 'string', default: 'small' },
    pace: { type: 'string', default: 'saturation' },
    seconds: { type: 'string', default: '8' },
    top: { type: 'string', default: '60' },
  },
});
const work = WORKS.find((each) => each === values.work);
if (work === undefined) throw new Error(`--work is one of ${WORKS.join(', ')}.`);

const pace = PACES.find((each) => each === values.pace);
if (pace === undefined) throw new Error(`--pace is one of ${PACES.join(', ')}.`);

const inspectorPort = await closedPort();
using upstream = await startServer('upstream.ts');
using load = startLoad();
await using gateway = await startGateway(upstream.port, { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` });
const port = Number(new URL(gateway.url).port);
const order = {
  port,
  path: '/v1/chat/completions',
  key: gateway.key,
  work,
  pace,
  model: MODEL,
  ms: Number(values.seconds) * 1000,
};

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

/** A call to the inspector of the process that listens there. https://chromedevtools.github.io/devtools-protocol/v8/ */
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

/** Microseconds by function. */
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

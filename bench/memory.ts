import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gatewayRoutes, startGateway } from './contestants/headgate.ts';
import { startLoad, startUpstream } from './helpers.ts';
import { memoryOf } from './machine/process-memory.ts';
import { FRAME_GAP_MS } from './workloads.ts';

/**
 * `npm run bench:memory -- [--idle 10] [--seconds 60] [--connections 64]`: measures a gateway's memory this many
 * seconds after its start, and after so many seconds of small chats on so many connections; and what holds it. Linux
 * only.
 */
const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
  },
});
const [idle, seconds, connections] = [values.idle, values.seconds, values.connections].map(Number);
if (!(idle! >= 0 && seconds! > 0 && connections! > 0))
  throw new Error('--idle, --seconds and --connections are numbers.');

const BYTES_PER_MB = 1024 ** 2;
const KB_PER_MB = 1024;
const MS_PER_SECOND = 1000;
/** V8 allocates memory for objects in pages of this size, and glibc further pools at multiples of the other. */
const V8_PAGE_BYTES = 256 * 1024;
const POOL_BYTES = 64 * BYTES_PER_MB;

using upstream = await startUpstream();
using load = startLoad();
await upstream.setGap(FRAME_GAP_MS.saturation);
await using gateway = await startGateway({ url: upstream.url, caFile: null });
await delay(idle! * MS_PER_SECOND);
tell(`${idle} s behind the start`, gateway.pid);

const route = gatewayRoutes(gateway).chat;
const order = {
  kind: 'closed',
  workload: 'chat',
  route,
  ms: seconds! * MS_PER_SECOND,
  connections: connections!,
  apartMs: 0,
} as const;
const { answers } = await load.drive(order);
tell(`behind ${seconds} s and ${answers} small chats over ${connections} connections`, gateway.pid);

function tell(when: string, pid: number): void {
  const { rss, pss } = memoryOf(pid);
  console.log(`${when}: ${mb(rss / BYTES_PER_MB)} MB (shared pages in shares: ${mb(pss / BYTES_PER_MB)} MB)`);
  for (const [part, kb] of [...partsOf(pid)].toSorted((one, other) => other[1] - one[1])) {
    console.log(`  ${mb(kb / KB_PER_MB).padStart(6)} MB  ${part}`);
  }
}

/** The kilobytes of a process by what holds them, from its mappings. */
function partsOf(pid: number): Map<string, number> {
  const parts = new Map<string, number>();
  let part = '';
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'latin1').split('\n')) {
    const mapping = /^([\da-f]+)-([\da-f]+) (\S+) \S+ \S+ \S+ *(.*)$/.exec(line);
    if (mapping !== null) {
      const [, from, to, rights, name] = mapping;
      const begin = Number.parseInt(from!, 16);
      part = partOf({ begin, bytes: Number.parseInt(to!, 16) - begin, rights: rights!, name: name! });
    }
    const kb = /^Rss: +(\d+) kB/.exec(line)?.[1];
    if (kb !== undefined) parts.set(part, (parts.get(part) ?? 0) + Number(kb));
  }
  return parts;
}

function partOf(mapping: { begin: number; bytes: number; rights: string; name: string }): string {
  const { begin, bytes, rights, name } = mapping;
  if (/\/(?:bin\/)?node$/.test(name)) return 'the program of Node.js itself (shared with other Node.js processes)';
  if (name === '[heap]' || (name === '' && rights === 'rw-p' && begin % POOL_BYTES === 0))
    return 'the C library’s pools: buffers, SQLite, libuv';
  if (name.startsWith('/')) return 'libraries and other files';
  if (rights.includes('x')) return 'compiled code';
  if (name === '' && bytes % V8_PAGE_BYTES === 0 && begin % V8_PAGE_BYTES === 0) return 'objects of JavaScript';
  return 'stacks, and what is left';
}

function mb(value: number): string {
  return value.toFixed(1);
}

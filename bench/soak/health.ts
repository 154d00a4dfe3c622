import type { Running } from '../../tests/support/headgate.ts';
import { memoryOf, openFiles } from '../machine/process-memory.ts';

/** The state of a gateway; sizes in bytes. `null`: not in `/metrics`. */
export type Health = {
  atSeconds: number;
  rss: number;
  heapUsed: number | null;
  openFiles: number;
  /** The 99th percentile since the last observation. */
  lagMs: number | null;
};

export async function healthOf({ url, pid }: Running, atSeconds: number): Promise<Health> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string) => {
    const value = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1];
    return value === undefined ? null : Number(value);
  };
  const lagSeconds = metric('nodejs_eventloop_lag_p99_seconds');
  return {
    atSeconds,
    rss: memoryOf(pid).rss,
    heapUsed: metric('nodejs_heap_size_used_bytes'),
    openFiles: openFiles(pid),
    lagMs: lagSeconds === null ? null : lagSeconds * 1000,
  };
}

import type { Running } from '../../tests/support/headgate.ts';
import { memoryOf, openFiles } from '../machine/memory.ts';

/** How a gateway is at one moment; bytes. What `/metrics` does not tell is `null`. */
export type Health = {
  atSeconds: number;
  rss: number;
  heapUsed: number | null;
  openFiles: number;
  /** The 99th percentile since the last look. */
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

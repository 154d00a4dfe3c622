import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** In CPU time of the thread that serves all calls. */
export type LoopHolds = {
  /** The longest that one turn of the event loop took. */
  holdMs: number;
  /** All that was done. */
  cpuMs: number;
};

/** Measures the event loop of a gateway that is started with `env`. */
export type LoopMeter = {
  env: Readonly<Record<string, string>>;
  /** What there was since the last time this was asked. */
  read(): Promise<LoopHolds>;
};

export function loopMeter(): LoopMeter {
  const path = join(tmpdir(), `headgate-loop-${randomUUID()}`);
  const sampler = new URL('./loop-sampler.ts', import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${sampler}`, LOOP_SAMPLER_SOCKET: path },
    read: async () => JSON.parse(await text(connect(path))) as LoopHolds,
  };
}

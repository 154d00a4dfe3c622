import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** CPU time of the thread that serves all calls. */
export type LoopHolds = {
  /** The longest turn of the event loop. */
  holdMs: number;
  /** The total. */
  cpuMs: number;
};

/** Measures the event loop of a gateway that is started with `env`. */
export type LoopMeter = {
  env: Readonly<Record<string, string>>;
  /** The measurements since the last call. */
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

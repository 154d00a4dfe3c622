import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReply, LoadResult } from './load/order.ts';
import type { MixedOrder, MixedResult } from './soak/mixed-load.ts';
import type { UpstreamOrder } from './upstream/upstream.ts';

/** A script of this folder in its own process, which answers one message at a time. */
type Helper = Disposable & { pid: number; ask(message?: object): Promise<unknown> };

/** `url` has no path. */
export type Upstream = Disposable & {
  pid: number;
  port: number;
  url: string;
  setGap(ms: number | null): Promise<void>;
};

/** A server that is configured by its arguments alone. */
export type Server = Disposable & { pid: number; port: number };

/** Generates load from its own process. Throws if an answer is wrong. */
export type Load = Disposable & { pid: number; drive(order: LoadOrder): Promise<LoadResult> };

/** With the files of a certificate and its key, it uses TLS. */
export async function startUpstream(tls?: { certificate: string; key: string }): Promise<Upstream> {
  const helper = startHelper('upstream/upstream.ts', tls === undefined ? [] : [tls.certificate, tls.key]);
  const { port } = (await helper.ask()) as { port: number };
  return {
    ...helper,
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async setGap(gapMs) {
      await helper.ask({ gapMs } satisfies UpstreamOrder);
    },
  };
}

/** Starts a script that serves HTTP and sends its port. */
export async function startServer(script: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> {
  const helper = startHelper(script, args, env);
  const { port } = (await helper.ask()) as { port: number };
  return { ...helper, port };
}

export function startLoad(): Load {
  const helper = startHelper('load/load.ts', []);
  return {
    ...helper,
    async drive(order) {
      const reply = (await helper.ask(order)) as LoadReply;
      if ('fault' in reply) throw new Error(`The load was not answered: ${reply.fault}`);
      return reply;
    },
  };
}

/** Generates load of all kinds at once. */
export function startMixedLoad(): Disposable & { pid: number; drive(order: MixedOrder): Promise<MixedResult> } {
  const helper = startHelper('soak/mixed-load.ts', []);
  return { ...helper, drive: (order) => helper.ask(order) as Promise<MixedResult> };
}

function startHelper(script: string, args: readonly string[], env?: NodeJS.ProcessEnv): Helper {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, env === undefined ? {} : { env });
  return {
    pid: child.pid!,
    ask: (message) => answerOf(child, script, message),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** The child's next message. Rejects if it ends instead. */
function answerOf(child: ChildProcess, script: string, message?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) => reject(new Error(`${script} ended with ${code}.`));
    child.once('exit', end);
    child.once('message', (answer) => {
      child.off('exit', end);
      resolve(answer);
    });
    if (message !== undefined) child.send(message);
  });
}

/** The 95th percentile of calls in ms, while some work is repeated. */
export async function p95Beside(load: Load, order: LoadOrder, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  const driven = load.drive(order).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await work();
    await pause();
  }
  return ((await driven).latency?.p95 ?? Number.NaN) / 1_000;
}

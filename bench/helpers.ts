import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load.ts';

/** A script of this folder in a process of its own, with an IPC channel. */
export type Helper = Disposable & { pid: number; ask(message?: object): Promise<unknown> };

/** Drives load from a process of its own; throws where an answer was not as it should be. */
export type Load = Disposable & { drive(order: LoadOrder): Promise<LoadResult> };

/** Starts a script that serves HTTP and tells its port. */
export async function startServer(script: string, ...args: string[]): Promise<Helper & { port: number }> {
  const helper = startHelper(script, args);
  const { port } = (await helper.ask()) as { port: number };
  return { ...helper, port };
}

export function startLoad(): Load {
  const helper = startHelper('load.ts', []);
  return {
    async drive(order) {
      const result = (await helper.ask(order)) as LoadResult;
      if (result.fault !== null) throw new Error(`The load was not answered: ${result.fault}`);
      return result;
    },
    [Symbol.dispose]: helper[Symbol.dispose],
  };
}

function startHelper(script: string, args: readonly string[]): Helper {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args);
  return {
    pid: child.pid!,
    ask: (message) => answerOf(child, script, message),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** The child's next message; rejects where it ends instead. */
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

import { spawn } from 'node:child_process';

const TASK_MS = 120_000;
/** Nobody listens here. */
const NOWHERE = 'http://127.0.0.1:9';

type Surroundings = { cwd: string; home: string; env: Readonly<Record<string, string>> };
export type Ended = { code: number | null; stdout: string; stderr: string };

/** Runs an installed program to its end. It reaches nothing but this machine. */
export function execute(command: string, args: readonly string[], { cwd, home, env }: Surroundings): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TASK_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      output[name] += piece;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

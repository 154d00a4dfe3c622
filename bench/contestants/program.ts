import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type Program = {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The port that it will listen on. */
  port: number;
};

export type Running = AsyncDisposable & { pid: number };

/** LiteLLM takes ten seconds on an idle machine. */
const START_MS = 90_000;
const LOOK_EVERY_MS = 2;
/** The number of characters of a program's output that are kept for errors. */
const KEPT_OUTPUT = 4000;
/** Raises the limit of open files to the maximum: thousands of streams need two each. */
const WITH_MOST_FILES = 'ulimit -n "$(ulimit -H -n)"; exec "$0" "$@"';

/** Starts a program with its own environment, and resolves when it listens. */
export async function startProgram({ command, args, env, port }: Program): Promise<Running> {
  const child = spawn('sh', ['-c', WITH_MOST_FILES, command, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const keep = (piece: Buffer) => {
    said = (said + piece.toString('latin1')).slice(-KEPT_OUTPUT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const running: Running = {
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      child.kill('SIGTERM');
      const late = new AbortController();
      await Promise.race([ended, delay(START_MS, null, { signal: late.signal }).then(kill)]);
      late.abort();
    },
  };
  const deadline = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    if (await listens(port)) return running;
    await delay(LOOK_EVERY_MS);
  }
  await running[Symbol.asyncDispose]();
  throw new Error(`${command} did not start: ${said}`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createWaiters } from '../../src/testing/wait.ts';

export type Process = {
  child: ChildProcess;
  /** Resolves with the exit code; `null` if a signal ended it. */
  ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  lineCount(): number;
  waitForLine(pattern: RegExp, from?: number): Promise<string>;
  end(signal: NodeJS.Signals, timeoutMs?: number): Promise<number | null>;
};

/** Runs this Node with `args` and at most `handles` open files, and collects its output. */
export function runProcess(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  handles: number | null = null,
): Process {
  const command = [process.execPath, ...args];
  const [file = '', ...rest] =
    handles === null ? command : ['/bin/sh', '-c', `ulimit -n ${handles} && exec "$0" "$@"`, ...command];
  const child = spawn(file, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const waiters = createWaiters();
  const lines: string[] = [];
  let over = false;
  // A failing test must not leave processes behind.
  const kill = () => void child.kill('SIGKILL');
  process.on('exit', kill);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      over = true;
      process.off('exit', kill);
      waiters.changed();
      resolve(code);
    });
  });
  const addLine = (line: string) => {
    lines.push(line);
    waiters.changed();
  };
  const stdout = collect(child.stdout, addLine);
  const stderr = collect(child.stderr, addLine);
  const output = () => `\n${stdout()}\n${stderr()}`;

  return {
    child,
    ended,
    stdout,
    stderr,
    lineCount: () => lines.length,
    async waitForLine(pattern, from = 0) {
      const find = () => lines.slice(from).find((line) => pattern.test(line));
      await waiters.until(
        () => {
          if (find() !== undefined) return true;
          if (over) throw new Error(`headgate ended without a line like ${pattern}: ${output()}`);
          return false;
        },
        () => `a line like ${pattern}: ${output()}`,
      );
      return find() ?? '';
    },
    async end(signal, timeoutMs) {
      if (over) return child.exitCode;
      child.kill(signal);
      await waiters.until(
        () => over,
        () => `the end of headgate after ${signal}: ${output()}`,
        timeoutMs,
      );
      return child.exitCode;
    },
  };
}

/** Collects the text of a stream, and calls `onLine` for each complete line. */
function collect(stream: NodeJS.ReadableStream, onLine: (line: string) => void): () => string {
  const pieces: string[] = [];
  let begun = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    pieces.push(piece);
    // Not cut from the whole text: each line would keep a copy of it in memory.
    const lines = (begun + piece).split('\n');
    begun = lines.pop()!;
    for (const line of lines) onLine(line);
  });
  return () => pieces.join('');
}

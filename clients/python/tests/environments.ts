import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A Python of this machine: `3.13`, and how to run it. */
export type Interpreter = { version: string; path: string };

/** The first minor version of Python 3 that the package is for, and one beyond all that there are. */
const OLDEST = 10;
const BEYOND = 30;

/** The oldest and the newest Python from 3.10 on that are here: one, where they are the same. Throws where there is none. */
export function interpreters(): Interpreter[] {
  const found = new Map<number, Interpreter>();
  for (const path of candidates()) {
    const { status, stdout } = spawnSync(path, ['-c', 'import sys; print(sys.version_info.minor)'], {
      encoding: 'utf8',
    });
    const minor = Number(stdout);
    if (status === 0 && minor >= OLDEST && !found.has(minor)) found.set(minor, { version: `3.${minor}`, path });
  }
  const minors = [...found.keys()].sort((a, b) => a - b);
  if (minors.length === 0) throw new Error(`There is no Python from 3.${OLDEST} on. Install python3 and python3-venv.`);
  return [...new Set([minors[0]!, minors.at(-1)!])].map((minor) => found.get(minor)!);
}

/** What pyenv and uv have installed, before what the search path has: shims of pyenv's there may lead nowhere. */
function candidates(): string[] {
  const roots = [
    join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions'),
    join(homedir(), '.local/share/uv/python'),
  ];
  const installed = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).map((name) => join(root, name, 'bin/python3')))
    .filter((path) => existsSync(path));
  const named = Array.from({ length: BEYOND - OLDEST }, (_, index) => `python3.${OLDEST + index}`);
  return [...installed, ...named, 'python3'];
}

/**
 * Makes a virtual environment, or takes the one that is there if it was made with the same arguments, and returns its
 * `bin/python`.
 *
 * @param install the arguments of `pip install`; of files that are named after `-r` or `-c` the contents count
 */
export function environment(folder: string, interpreter: Interpreter, install: readonly string[]): string {
  const python = join(folder, 'bin/python');
  const parts = install.map((argument) => (existsSync(argument) ? readFileSync(argument, 'utf8') : argument));
  const wanted = createHash('sha256')
    .update([interpreter.path, ...parts].join('\0'))
    .digest('hex');
  const stamp = join(folder, 'made-with.sha256');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  rmSync(folder, { recursive: true, force: true });
  makeVenv(folder, interpreter);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...install]);
  // Written last, so that half of one is made again.
  writeFileSync(stamp, wanted);
  return python;
}

function makeVenv(folder: string, { path }: Interpreter): void {
  const make = () => spawnSync(path, ['-m', 'venv', folder], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (make()) return;
  // Debian leaves out of Python what makes environments.
  if (process.getuid?.() !== 0) throw new Error(`${path} -m venv failed. Install python3-venv.`);
  run('apt-get', ['update']);
  run('apt-get', ['install', '-y', 'python3-venv']);
  rmSync(folder, { recursive: true, force: true });
  if (!make()) throw new Error(`${path} -m venv failed.`);
}

/** Runs a program to its end. Throws where it fails, with all that it wrote. */
export function run(program: string, args: readonly string[], cwd?: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...(cwd && { cwd }) });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed:\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`);
}

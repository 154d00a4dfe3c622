import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Process, runProcess } from './process.ts';
import { STARTED, startedOf } from './started.ts';

export type HeadgateOptions = {
  /** The text of `headgate.yaml`; there is no file if it is `null` or absent. */
  config?: string | null;
  /** Added to an environment without any vendor's key. */
  env?: Readonly<Record<string, string>>;
  /** A data folder that is kept afterwards. Default: a temporary folder. */
  data?: string;
  /** `bin/headgate.js` of another checkout or of the sources. Default: `started.ts`. */
  bin?: string;
  /** The most file handles of the process. Default: the system's limit. */
  handles?: number;
};

export type ServeOptions = HeadgateOptions & {
  /** Added to `headgate serve`. */
  args?: readonly string[];
};

export type CommandResult = { code: number | null; stdout: string; stderr: string; json: unknown };

/** A gateway in its own process. After a restart, the same object represents the new process. */
export type Running = AsyncDisposable & {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly url: string;
  /** The key that the first start printed. Throws if the data folder already had a key. */
  readonly key: string;
  readonly pid: number;
  readonly data: string;
  /** The output of the process so far. */
  stdout(): string;
  stderr(): string;
  /** The first matching line of either output, from line number `from` on. Rejects if the process ends. */
  waitForLine(pattern: RegExp, from?: number): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** `kill -9`; resolves when the process has ended. */
  kill9(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(timeoutMs?: number): Promise<number | null>;
  /** Ends the process if it runs, and starts another on the same data, with this configuration or the same. */
  restart(config?: string): Promise<void>;
  /** Runs another `headgate` command on the same data and configuration. */
  command(...args: string[]): Promise<CommandResult>;
  /** `GET /v1/usage` with this query, as JSON. */
  usage(query?: Readonly<Record<string, string>>): Promise<UsageList>;
  /** `headgate keys create` with these additional arguments. */
  createKey(...args: string[]): Promise<{ id: string; key: string }>;
  /** Writes a new `headgate.yaml`, sends SIGHUP, and waits for the line with the result. */
  reload(config: string): Promise<string>;
};

export type UsageList = { object: string; data: Record<string, unknown>[]; has_more: boolean };

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;
const KEY = /hg_live_[0-9A-Za-z]{49}/;
const RELOADED = /reload/i;

/** Starts `headgate serve` on a free port and resolves when it is ready. */
export async function startHeadgate(options: ServeOptions = {}): Promise<Running> {
  const home = await makeHome(options);
  let key: string | undefined;
  let current = await serve().catch(async (error) => {
    await home.remove();
    throw error;
  });

  async function serve(): Promise<Process & { url: string }> {
    const first = !existsSync(home.data) || readdirSync(home.data).length === 0;
    const started = home.run(['serve', ...(options.args ?? [])]);
    try {
      const url = ADDRESS.exec(await started.waitForLine(ADDRESS))?.[0] ?? '';
      if (first) key = KEY.exec(await started.waitForLine(KEY))?.[0];
      await ready(url, started);
      return { ...started, url };
    } catch (error) {
      await started.end('SIGKILL');
      throw error;
    }
  }

  const running: Running = {
    get url() {
      return current.url;
    },
    get key() {
      assert(key !== undefined, 'this data had its first start before, so no key was printed');
      return key;
    },
    get pid() {
      assert(current.child.pid !== undefined, 'the process could not be started');
      return current.child.pid;
    },
    data: home.data,
    stdout: () => current.stdout(),
    stderr: () => current.stderr(),
    waitForLine: (pattern, from) => current.waitForLine(pattern, from),
    signal: (name) => void current.child.kill(name),
    async kill9() {
      await current.end('SIGKILL');
    },
    stop: (timeoutMs) => current.end('SIGTERM', timeoutMs),
    async restart(config) {
      await current.end('SIGTERM');
      if (config !== undefined) await home.configure(config);
      current = await serve();
    },
    command: (...args) => result(home.run(args)),
    usage: (query = {}) => usageOf(running, query),
    async createKey(...args) {
      const { code, json, stderr } = await running.command('keys', 'create', '--name', 'test', '--json', ...args);
      assert.equal(code, 0, stderr);
      return json as { id: string; key: string };
    },
    async reload(config) {
      const from = current.lineCount();
      await home.configure(config);
      current.child.kill('SIGHUP');
      return current.waitForLine(RELOADED, from);
    },
    async [Symbol.asyncDispose]() {
      await current.end('SIGKILL');
      await home.remove();
    },
  };
  return running;
}

async function usageOf({ url, key }: Running, query: Readonly<Record<string, string>>): Promise<UsageList> {
  const headers = { authorization: `Bearer ${key}` };
  const ask = () => fetch(`${url}/v1/usage?${new URLSearchParams(query)}`, { headers });
  let response = await ask();
  // Polling may reach the limit of requests, whose answer says how long to wait.
  while (response.status === 429) {
    await delay(Number(response.headers.get('retry-after-ms')));
    response = await ask();
  }
  assert.equal(response.status, 200, 'GET /v1/usage');
  return (await response.json()) as UsageList;
}

/** Runs one `headgate` command to its end, without a server beside it; also for a start that must be refused. */
export async function runHeadgate(args: readonly string[], options: HeadgateOptions = {}): Promise<CommandResult> {
  const home = await makeHome(options);
  try {
    return await result(home.run(args));
  } finally {
    await home.remove();
  }
}

type Home = {
  data: string;
  run(args: readonly string[]): Process;
  configure(config: string): Promise<void>;
  remove(): Promise<void>;
};

/** A temporary folder, and an environment with only what the test sets. */
async function makeHome(options: HeadgateOptions): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-'));
  const data = options.data ?? join(folder, 'data');
  const configFile = join(folder, 'headgate.yaml');
  const config = options.config ?? null;
  const started = options.bin === undefined ? STARTED : startedOf(options.bin);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ...started.env,
    HEADGATE_DATA: data,
    HEADGATE_PORT: '0',
    ...(process.env.HEADGATE_HTTP_LAYER !== undefined && { HEADGATE_HTTP_LAYER: process.env.HEADGATE_HTTP_LAYER }),
    ...(config !== null && { HEADGATE_CONFIG: configFile }),
    ...options.env,
  };
  const configure = async (text: string) => {
    // Atomically, so that nobody reads half of the file.
    await writeFile(`${configFile}.new`, text);
    await rename(`${configFile}.new`, configFile);
  };
  if (config !== null) await configure(config);
  return {
    data,
    configure,
    run: (args) => runProcess([...started.args, ...args], folder, env, options.handles),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function result(command: Process): Promise<CommandResult> {
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr(), json: parsed(command.stdout()) };
}

/** The address is printed when the socket is open, which may be a moment before the rest is ready. */
async function ready(url: string, started: Process): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  let answer = '';
  while (performance.now() < deadline) {
    const response = await fetch(`${url}/readyz`);
    answer = await response.text();
    if (response.status === 200) return;
    await nextPoll();
  }
  throw new Error(`headgate was not ready after ${WAIT_MS} ms: ${answer}\n${started.stdout()}\n${started.stderr()}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

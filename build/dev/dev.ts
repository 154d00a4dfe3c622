import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { writeConsoleApi } from '../console-api.ts';
import { OWNER, PASSWORD, seed } from './seed.ts';

/**
 * `npm run dev`: a gateway that restarts when its sources change, with seeded data and a fake vendor, and the console
 * with hot reload. The data are in `.dev`: delete that folder to start over. DEV_FOLDER, DEV_PORT and DEV_CONSOLE_PORT
 * replace the defaults.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = process.env.DEV_FOLDER ?? join(ROOT, '.dev');
const PORT = process.env.DEV_PORT ?? '8080';
const CONSOLE_PORT = process.env.DEV_CONSOLE_PORT ?? '5173';
const CONSOLE = `http://localhost:${CONSOLE_PORT}`;
const KEY_FILE = join(FOLDER, 'api-key');
const MODELS = ['fake-small', 'fake-large'];

mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
const vendor = await startFakeProvider({ models: MODELS });
const config = join(FOLDER, 'headgate.yaml');
writeFileSync(config, configuration());

await writeConsoleApi();
const children = [startGateway(), startConsole()];
for (const child of children) child.once('exit', (code) => end(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(0));

function configuration(): string {
  const price = (input: number) => `{ input_per_1m: ${input}, output_per_1m: ${4 * input} }`;
  return `server: { public_url: "${CONSOLE}", drain: 0, log_calls: false }
providers:
  fake:
    base_url: ${vendor.url}
    models:
      - { id: fake-small, context_window: 32000, price: ${price(0.2)} }
      - { id: fake-large, context_window: 128000, price: ${price(3)} }
routes: { dev/route: { strategy: [cheapest], targets: [fake-large, fake-small] } }
`;
}

function startGateway(): ChildProcess {
  const bin = join(ROOT, 'bin', 'headgate.js');
  const args = ['--watch', '--watch-preserve-output', bin, 'serve', '--json', '--port', PORT, '--config', config];
  const env = { ...process.env, HEADGATE_DATA: join(FOLDER, 'data') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface(child.stdout).on('line', (line) => {
    const news = line.startsWith('{') ? JSON.parse(line) : {};
    if (news.event === 'serving') void greet(news).catch(fail);
    else console.log(line);
  });
  return child;
}

function startConsole(): ChildProcess {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, '--port', CONSOLE_PORT, '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn'];
  const env = { ...process.env, HEADGATE_DEV_GATEWAY: `http://localhost:${PORT}` };
  return spawn(process.execPath, args, { cwd: join(ROOT, 'console'), env, stdio: ['ignore', 'inherit', 'inherit'] });
}

type Serving = { base_url: string; api_key: string | null; owner_link: string | null };

/** Seeds new data after the first start; prints all addresses after each start. */
async function greet({ base_url: url, api_key: apiKey, owner_link: ownerLink }: Serving): Promise<void> {
  if (apiKey !== null && ownerLink !== null) {
    writeFileSync(KEY_FILE, apiKey, { mode: 0o600 });
    await seed({ address: new URL(url).origin, origin: CONSOLE, apiKey, ownerLink }, [...MODELS, 'dev/route']);
  }
  while (!(await answers(CONSOLE))) await delay(100);
  console.log(`
  Console  ${CONSOLE}
           sign in as ${OWNER}, password: ${PASSWORD}
  Gateway  ${url}, models: ${[...MODELS, 'dev/route'].join(', ')}
           API key: ${existsSync(KEY_FILE) ? readFileSync(KEY_FILE, 'utf8') : 'see headgate keys create'}
  Vendor   ${vendor.url} (fake)
  Data     ${FOLDER}
`);
}

async function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}

function fail(error: unknown): void {
  console.error(error);
  console.error(`The data could not be seeded: delete ${FOLDER} and start again.`);
  end(1);
}

/** Ends all processes, once. */
function end(code: number): void {
  for (const child of children) {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
  void Promise.all(children.map((child) => gone(child))).then(() => process.exit(code));
}

function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

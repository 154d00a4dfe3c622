import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The package as it would be published, installed into an empty folder and used by `npx` there. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const runFile = promisify(execFile);

const place = await mkdtemp(join(tmpdir(), 'headgate-published-'));
after(() => rm(place, { recursive: true, force: true }));
const folder = join(place, 'app');
const home = join(place, 'home');

/** What npm says of its own run to what it starts is about this project; where its packages come from stays. */
const FROM_NPM = /^npm_(?!config_(?:registry|cache|userconfig|globalconfig)$)/;
const npmEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FROM_NPM.test(name)));
const { HEADGATE_HTTP_LAYER } = process.env;
const userEnv = {
  PATH: process.env.PATH,
  HOME: home,
  npm_config_update_notifier: 'false',
  ...(HEADGATE_HTTP_LAYER !== undefined && { HEADGATE_HTTP_LAYER }),
};

async function install(): Promise<void> {
  for (const each of [folder, home]) await mkdir(each);
  await runFile('node', ['build/release/package.ts', '--to', place], { cwd: ROOT, env: npmEnv });
  const tarball = (await readdir(place)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(folder, 'package.json'), '{}\n');
  // The Node that runs the tests is new enough, so none is fetched.
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--omit=optional'];
  const { stdout, stderr } = await runFile('npm', ['install', ...flags, join(place, tarball)], {
    cwd: folder,
    env: { ...npmEnv, npm_config_loglevel: 'warn' },
  });
  // On an older Node npm warns of each package that wants a newer one: nothing is installed beside ours.
  assert.doesNotMatch(stdout + stderr, /EBADENGINE/);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.deepEqual(
    installed.filter((name) => !name.startsWith('.')),
    ['headgate'],
  );
  assert.ok((await bytesIn(join(folder, 'node_modules'))) < 40 * 1024 ** 2, 'an installed package is small');
}

async function bytesIn(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

type Serving = { base_url: string; api_key: string; pid: number };

/** `npx headgate serve`; its group is signalled, as a terminal does, since npx starts the gateway through a shell. */
async function serve() {
  const args = ['--no', '--', 'headgate', 'serve', '--port', '0', '--json'];
  const child = spawn('npx', args, { cwd: folder, env: userEnv, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let over = false;
  const signal = (name: NodeJS.Signals) => over || process.kill(-child.pid!, name);
  // A test that dies takes its processes with it.
  const kill = () => void signal('SIGKILL');
  process.on('exit', kill);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      over = true;
      process.off('exit', kill);
      resolve();
    });
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const first = await new Promise<string | undefined>((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
  });
  assert.ok(first !== undefined, `it ended before it served: ${complaints}`);
  return {
    ...(JSON.parse(first) as Serving),
    async [Symbol.asyncDispose]() {
      signal('SIGINT');
      await ended;
    },
  };
}

async function headgate(...args: string[]): Promise<string> {
  const { stdout } = await runFile('npx', ['--no', '--', 'headgate', ...args], { cwd: folder, env: userEnv });
  return stdout;
}

test('npx headgate from a packed tarball serves, answers, counts tokens and connects a tool', async () => {
  await install();
  await using gateway = await serve();
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${gateway.api_key}`, 'content-type': 'application/json' };
    const response = await fetch(`${gateway.base_url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  };
  const messages = [{ role: 'user', content: 'Hello from a package' }];

  const answer = await post('/chat/completions', { model: 'echo', messages });
  assert.equal(answer.choices[0].message.content, 'Hello from a package');
  // The tokenizer is one of the packages that the build carries.
  assert.ok((await post('/messages/count_tokens', { model: 'echo', messages })).input_tokens > 0);

  const shown = await headgate('connect', 'opencode', '--model', 'echo', '--json');
  assert.ok(
    JSON.parse(shown).configuration.some(({ text }: { text: string }) => text.includes(gateway.base_url)),
    shown,
  );
  assert.deepEqual(await readdir(home), ['.npm'], 'a preview writes no settings');
});

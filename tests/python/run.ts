import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';

/**
 * `npm run test:python`: the official Python clients, unmodified, against a gateway with a fake vendor behind it. Makes a
 * virtual environment of its own on the first run, and again when the requirements change. Further arguments are pytest's.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ENVIRONMENT = join(FOLDER, '.venv');
const REQUIREMENTS = join(FOLDER, 'requirements.txt');
const PYTHON = join(ENVIRONMENT, 'bin', 'python');
/** What the environment was made from; written last, so that half of one is made again. */
const STAMP = join(ENVIRONMENT, 'requirements.sha256');

const FAULTS = ['rate-limited', 'bad-request', 'unauthorized', 'endless-stream', 'reset'];
const TOOL_CALLS = [
  { name: 'get_weather', arguments: '{"city":"Paris","unit":"celsius"}' },
  { name: 'get_time', arguments: '{"city":"Paris"}' },
];

prepareEnvironment();
process.exitCode = await test(process.argv.slice(2));

async function test(args: readonly string[]): Promise<number> {
  await using vendor = await startFakeProvider();
  vendor.plan(answer({ toolCalls: TOOL_CALLS }), { model: 'fake-tools' });
  vendor.plan(answer({ text: '{"city":"Paris","population":2102650}' }), { model: 'fake-json' });
  await using gateway = await startHeadgate({ config: configuration(vendor.url) });
  const child = spawn(PYTHON, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', FOLDER, ...args], {
    stdio: 'inherit',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONDONTWRITEBYTECODE: '1',
      OPENAI_BASE_URL: `${gateway.url}/v1`,
      OPENAI_API_KEY: gateway.key,
    },
  });
  // Awaited here, so that gateway and vendor stay until the child is done.
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    // A signal has no code, and is no success.
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function configuration(vendorUrl: string): string {
  const chat = ['fake-tools', 'fake-json', ...FAULTS.map((name) => `fault:${name}`)];
  return `
server: { webhook_hosts: [127.0.0.1] }
providers:
  fake:
    base_url: ${vendorUrl}
    only:
      - { id: fake-small, price: { input_per_1m: 1.5, output_per_1m: 6 } }
      - { id: text-embedding-3-small, dimensions: 1536 }
      - gpt-5.5
      - claude-sonnet-5
${chat.map((id) => `      - "${id}"`).join('\n')}
aliases: { default: fake-small }
`;
}

function prepareEnvironment(): void {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  if (!run('python3', '-m', 'venv', ENVIRONMENT)) {
    // Debian leaves out of Python what makes environments.
    if (process.getuid?.() !== 0) throw new Error('python3 -m venv failed. Install python3-venv.');
    if (!run('apt-get', 'install', '-y', 'python3-venv')) {
      run('apt-get', 'update');
      run('apt-get', 'install', '-y', 'python3-venv');
    }
    rmSync(ENVIRONMENT, { recursive: true, force: true });
    if (!run('python3', '-m', 'venv', ENVIRONMENT)) throw new Error('python3 -m venv failed.');
  }
  if (!run(PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS)) {
    throw new Error('pip could not install the requirements.');
  }
  writeFileSync(STAMP, wanted);
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

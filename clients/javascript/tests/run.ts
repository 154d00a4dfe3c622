import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startTestedGateway } from '../../tested-gateway.ts';
import { firstInWorkerd } from './workerd.ts';

/**
 * `node clients/javascript/tests/run.ts`: packs the packages in TypeScript, installs them into empty projects with the
 * releases of their parents that they are for, and tests them there on the oldest and the newest Node.js, against a running
 * gateway with a fake vendor behind it. Deno, Bun and workerd run the client's first example. Further arguments are those of
 * `node --test`.
 */
const TESTS = fileURLToPath(new URL('.', import.meta.url));
const CLIENTS = join(TESTS, '..', '..');
const ROOT = join(CLIENTS, '..');
const TOOLS = join(TESTS, '.tools');
const TYPES = '@types/node@26.6.6';
const BESIDE_OPENAI = ['zod@4.6.7', '@anthropic-ai/sdk@1.12.0', '@langchain/core@1.4.0', '@langchain/openai@1.6.0'];

/** An empty project: what is tested in it, and what is installed beside that. */
type Project = { of: 'javascript' | 'ai-sdk'; beside: readonly string[] };
const PROJECTS: Readonly<Record<string, Project>> = {
  'openai-6': { of: 'javascript', beside: ['openai@6.49.0', ...BESIDE_OPENAI] },
  'openai-7': { of: 'javascript', beside: ['openai@7.57.0', ...BESIDE_OPENAI] },
  'ai-sdk-7': { of: 'ai-sdk', beside: ['ai@7.0.173', '@ai-sdk/openai@4.0.118', 'zod@4.6.7'] },
};
/** JavaScript of a package, compressed, without its parent; in bytes. */
const MAX_SIZE = 15_000;
const ON_ARM = process.arch === 'arm64';
const RUNTIMES = {
  node22: `npm:node-linux-${ON_ARM ? 'arm64' : 'x64'}@22`,
  deno: `npm:@deno/linux-${ON_ARM ? 'arm64' : 'x64'}-glibc@2.9.6`,
  bun: `npm:@oven/bun-linux-${ON_ARM ? 'aarch64' : 'x64'}@1.4.5`,
  workerd: `npm:@cloudflare/workerd-linux-${ON_ARM ? 'arm64' : '64'}@1.20261117.1`,
};
type Runtime = keyof typeof RUNTIMES;

const failures: string[] = [];
run('node', ['--test', join(CLIENTS, 'javascript', 'src', '*.test.ts')], ROOT);
const tarballs = { javascript: pack('javascript'), 'ai-sdk': pack('ai-sdk') };
const runtimes = installed(
  'runtimes',
  Object.entries(RUNTIMES).map(([name, spec]) => `${name}@${spec}`),
);
const folders = Object.fromEntries(Object.entries(PROJECTS).map(([name, project]) => [name, made(name, project)]));
await using gateway = await startTestedGateway();
for (const folder of Object.values(folders)) {
  typeCheck(folder);
  for (const node of [process.execPath, binary('node22', 'bin/node')]) await test(folder, node);
}
const deno = [binary('deno', 'deno'), 'run', '--quiet', '--allow-net', '--allow-env', '--node-modules-dir=manual'];
await example('deno', deno, folders['openai-7']!);
await example('bun', [binary('bun', 'bin/bun'), 'run'], folders['openai-7']!);
await inWorkerd(folders['openai-7']!);
if (failures.length > 0) throw new Error(`Failed: ${failures.join('; ')}`);
console.log('\nThe packages hold, on every Node.js, release of their parents and runtime above.');

/** A packed package. Fails where it is larger than it may be. */
function pack(name: Project['of']): string {
  const folder = join(CLIENTS, name);
  for (const old of globSync(join(folder, '*.tgz'))) rmSync(old);
  run('npm', ['pack', '--silent'], folder);
  const [packed] = globSync(join(folder, '*.tgz'));
  if (packed === undefined) throw new Error(`${name} was not packed.`);
  const [code, types] = ['.js', '.d.ts'].map((ending) => compressedSize(join(folder, 'dist', '**', `*${ending}`)));
  if (code! > MAX_SIZE) throw new Error(`${name} has ${code} bytes of JavaScript; ${MAX_SIZE} are allowed.`);
  console.log(`Packed: ${basename(packed)}. Compressed: ${code} bytes of JavaScript, ${types} of types.`);
  return packed;
}

function compressedSize(pattern: string): number {
  return gzipSync(Buffer.concat(globSync(pattern).map((file) => readFileSync(file)))).length;
}

/** A project with these packages; what is there from an earlier run is used again where it has the same. */
function installed(name: string, packages: readonly string[]): string {
  const folder = join(TOOLS, name);
  const stamp = join(folder, 'packages.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  install(folder, packages);
  writeFileSync(stamp, wanted);
  return folder;
}

function install(folder: string, packages: readonly string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['install', ...quiet, ...packages], folder);
}

/** An empty project with the packed package, and its tests beside it. */
function made(name: string, { of, beside }: Project): string {
  const folder = installed(name, [...beside, TYPES]);
  for (const old of globSync('*.ts', { cwd: folder })) rmSync(join(folder, old));
  rmSync(join(folder, 'node_modules', '@headgate'), { recursive: true, force: true });
  install(folder, ['--no-save', tarballs[of]]);
  for (const file of globSync(`${of}/tests/{*.test,said,called}.ts`, { cwd: CLIENTS })) {
    copyFileSync(join(CLIENTS, file), join(folder, basename(file)));
  }
  copyFileSync(join(TESTS, 'examples.test.ts'), join(folder, 'examples.test.ts'));
  examples(of).forEach((text, index) => {
    writeFileSync(join(folder, `example-${index + 1}.ts`), text);
  });
  return folder;
}

/** The README's, in its order. */
function examples(of: Project['of']): string[] {
  const readme = readFileSync(join(CLIENTS, of, 'README.md'), 'utf8');
  return [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text!);
}

/** The examples and the tests by the strict type checker, with the types of the packed package. */
function typeCheck(folder: string): void {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], folder);
}

async function test(folder: string, node: string): Promise<void> {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const name = `${basename(folder)} on Node.js ${stdout.trim()}`;
  console.log(`\n${name}`);
  const args = ['--test', '--test-timeout=120000', ...process.argv.slice(2), '*.test.ts'];
  const { code, output } = await started([node, ...args], folder);
  const counts = [...output.matchAll(/^\S* ?(tests|pass|fail|skipped) (\d+)$/gm)].map(
    ([, what, count]) => `${what} ${count}`,
  );
  console.log(code === 0 ? counts.join(', ') : output);
  if (code !== 0 || counts.length === 0) failures.push(name);
}

/** The first example, as a runtime other than Node.js runs it. */
async function example(name: string, command: readonly string[], folder: string): Promise<void> {
  const { code, output } = await started([...command, 'example-1.ts'], folder);
  judge(name, code === 0, output);
}

async function inWorkerd(folder: string): Promise<void> {
  const bun = binary('bun', 'bin/bun');
  const output = await firstInWorkerd({
    workerd: binary('workerd', 'bin/workerd'),
    bundle: (from, to) => run(bun, ['build', from, '--target=node', '--format=esm', `--outfile=${to}`], folder),
    example: examples('javascript')[0]!,
    folder,
    environment: await gateway.environment(),
  });
  judge('workerd', true, output);
}

function judge(name: string, ended: boolean, output: string): void {
  const isRight = ended && /Hello/.test(output) && /served by echo/.test(output);
  console.log(`${name}: the first example ${isRight ? 'runs' : `fails: ${output}`}`);
  if (!isRight) failures.push(name);
}

async function started(command: readonly string[], folder: string): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, ...(await gateway.environment()) };
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

function binary(name: Runtime, path: string): string {
  return join(runtimes, 'node_modules', name, path);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}

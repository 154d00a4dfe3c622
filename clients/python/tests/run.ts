import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestedGateway } from '../../tested-gateway.ts';
import { environment, type Interpreter, interpreters, run } from './environments.ts';

/**
 * Checks, builds and tests the Python library: the wheel, installed into an environment that has nothing else of this
 * project, against a running gateway with a fake vendor behind it; on the oldest and the newest Python of this machine, each
 * with the last release of both majors of `openai`. Further arguments are pytest's.
 */
const TESTS = fileURLToPath(new URL('.', import.meta.url));
const PACKAGE = join(TESTS, '..');
const ENVIRONMENTS = join(PACKAGE, '.venv');
const DIST = join(PACKAGE, 'dist');
/** The reference, as pages. */
const REFERENCE = join(PACKAGE, 'reference');
const OPENAI_RELEASES = ['2.54.0', '3.54.0'];
const TESTED_WITH = ['pytest', 'pytest-asyncio', 'anthropic', 'langchain-openai', 'pdoc'];
/** A wheel of the same version takes the place of the one before. */
const REINSTALL = ['--force-reinstall'];

const PYTEST = `[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
addopts = -p no:cacheprovider
`;

const found = interpreters();
const wheel = checkAndBuild(found.at(-1)!);
process.exitCode = await testAll(process.argv.slice(2));

/** Lints and type-checks the package, builds it, and returns the wheel. */
function checkAndBuild(newest: Interpreter): string {
  const tools = environment(join(ENVIRONMENTS, 'tools'), newest, ['-r', join(TESTS, 'tools.txt')]);
  run(tools, ['-m', 'ruff', 'check', '--no-cache', PACKAGE]);
  run(tools, ['-m', 'ruff', 'format', '--no-cache', '--check', PACKAGE]);
  const mypy = ['-m', 'mypy', '--strict', '--cache-dir', join(ENVIRONMENTS, 'mypy')];
  for (const release of OPENAI_RELEASES) {
    run(tools, [...mypy, '--python-executable', environmentOf(newest, release), 'src/headgate'], PACKAGE);
  }
  rmSync(DIST, { recursive: true, force: true });
  run(tools, ['-m', 'build', '--no-isolation', '--outdir', DIST, PACKAGE]);
  run(tools, ['-m', 'twine', 'check', '--strict', ...globSync(join(DIST, '*'))]);
  const [built] = globSync(join(DIST, '*.whl'));
  if (built === undefined) throw new Error('No wheel was built.');
  return built;
}

function environmentOf(interpreter: Interpreter, release: string): string {
  const name = `python-${interpreter.version}-openai-${release}`;
  const wanted = ['-c', join(TESTS, 'constraints.txt'), `openai==${release}`, ...TESTED_WITH];
  return environment(join(ENVIRONMENTS, name), interpreter, wanted);
}

async function testAll(args: readonly string[]): Promise<number> {
  let failed = 0;
  for (const interpreter of found) {
    // A run of tests is busy on one core: both releases at once.
    const codes = await Promise.all(OPENAI_RELEASES.map((release) => testWith(interpreter, release, args)));
    failed += codes.filter((code) => code !== 0).length;
  }
  await using gateway = await startTestedGateway();
  const newest = environmentOf(found.at(-1)!, OPENAI_RELEASES.at(-1)!);
  const measured = await runElsewhere(newest, [join(TESTS, 'measure.py')], await gateway.environment());
  console.log(`\n${measured.text}`);
  rmSync(REFERENCE, { recursive: true, force: true });
  run(newest, ['-m', 'pdoc', '--output-directory', REFERENCE, 'headgate', 'headgate.types', 'headgate.resources']);
  return failed === 0 && measured.code === 0 ? 0 : 1;
}

/** Runs the tests against the wheel and a gateway of their own, says what came of them, and resolves with the exit code. */
async function testWith(interpreter: Interpreter, release: string, args: readonly string[]): Promise<number> {
  await using gateway = await startTestedGateway();
  const python = environmentOf(interpreter, release);
  run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-deps', ...REINSTALL, wheel]);
  const tools = join(ENVIRONMENTS, 'tools/bin/python');
  const env = { ...(await gateway.environment()), ...(interpreter === found.at(-1) && { HEADGATE_TEST_TOOLS: tools }) };
  const options = ['-q', '-c', 'pytest.ini', '--rootdir', TESTS, TESTS, ...args];
  const { code, text } = await runElsewhere(python, ['-m', 'pytest', ...options], env);
  console.log(`\nheadgate-client on Python ${interpreter.version} with openai ${release}\n${text}`);
  return code;
}

/** Runs Python elsewhere than beside the sources: only what was installed can be imported. Resolves with all that it wrote. */
async function runElsewhere(
  python: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-client-'));
  writeFileSync(join(folder, 'pytest.ini'), PYTEST);
  const own = { PATH: process.env.PATH, HOME: folder, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...own, ...env } });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      // A signal has no code, and is no success.
      child.once('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(pieces).toString().trimEnd() }));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

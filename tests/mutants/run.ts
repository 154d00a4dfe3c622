import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

/**
 * `npm run test:mutants -- [--only WORDS]`: makes each change of `MUTANTS`, one at a time, in a copy of the project, runs its
 * tests, and tells which changes no test has caught. Ends with 1 where there are any, or where the list no
 * longer fits the source.
 */
const ROOT = resolve(import.meta.dirname, '../..');
/** What a copy does without. Tests start the source in it, so it needs no build. */
const NOT_COPIED: ReadonlySet<string> = new Set(['.git', 'dist', 'node_modules']);
/** A test that waits for ever because of the change has caught it. */
const TIMEOUT_MS = 60_000;
/** So does one that never comes to an end. */
const LONGEST_MS = 5 * TIMEOUT_MS;

type Outcome = 'caught' | 'survived' | 'misplaced';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const chosen = MUTANTS.filter(({ what, file }) => `${file}: ${what}`.includes(values.only));
const waiting = [...chosen];
const outcomes = new Map<Mutant, Outcome>();
const src = join(ROOT, 'src');
if (
  !(await passes(
    globSync(
      chosen.flatMap(({ tests }) => tests),
      { cwd: src },
    ),
    src,
  ))
) {
  throw new Error('The tests fail on the source as it is: they cannot tell what a change does.');
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

const told = (outcome: Outcome) => chosen.filter((mutant) => outcomes.get(mutant) === outcome);
for (const { file, what } of told('misplaced'))
  console.log(
    `does not stand once in the source, is no TypeScript, or has a pattern of tests that fits no file: ${file}: ${what}`,
  );
for (const { file, what } of told('survived')) console.log(`survived: ${file}: ${what}`);
const failed = told('survived').length + told('misplaced').length;
console.log(`${told('caught').length} passed, ${failed} failed`);
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;

/** Takes one change after the other, in a copy of its own. */
async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'headgate-mutants-'));
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const outcome = await outcomeOf(mutant, join(copy, 'src'));
      outcomes.set(mutant, outcome);
      console.log(`${outcomes.size}/${chosen.length} ${outcome}: ${mutant.file}: ${mutant.what}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function outcomeOf({ file, from, to, tests }: Mutant, src: string): Promise<Outcome> {
  const path = join(src, file);
  const source = readFileSync(path, 'utf8');
  const [before, after, ...more] = source.split(from);
  if (before === undefined || after === undefined || more.length > 0) return 'misplaced';
  if (tests.some((pattern) => globSync(pattern, { cwd: src }).length === 0)) return 'misplaced';
  const changed = before + to + after;
  if (!isTypeScript(changed)) return 'misplaced';
  writeFileSync(path, changed);
  try {
    return (await passes(globSync([...tests], { cwd: src }), src)) ? 'survived' : 'caught';
  } finally {
    writeFileSync(path, source);
  }
}

/** What is no TypeScript any more every test would catch. */
function isTypeScript(source: string): boolean {
  try {
    stripTypeScriptTypes(source);
    return true;
  } catch {
    return false;
  }
}

/** Whether all tests of these files pass. */
function passes(files: readonly string[], cwd: string): Promise<boolean> {
  const args = ['--test', '--test-concurrency=1', `--test-timeout=${TIMEOUT_MS}`, ...files];
  const env = { ...process.env };
  // Set where this itself is run by the test runner, which would take it for a part of its own.
  delete env.NODE_TEST_CONTEXT;
  // The bundle is made of the source as it is.
  delete env.HEADGATE_BUNDLE;
  return new Promise((end, reject) => {
    // A group of its own: a loop without end hears of no timeout.
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore', detached: true });
    const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LONGEST_MS);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(late);
      end(code === 0);
    });
  });
}

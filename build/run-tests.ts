import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { batchesOf, spreadOut } from './test-batches.ts';

/**
 * `node build/run-tests.ts PATTERN…` runs many test files, several in one process
 * (docs/decisions/2026-11-27-tests-share-processes.md). Each batch is a file that imports test files one after another,
 * each as a test, so that hooks of a file run with that file. The counts are the test runner's, which include one test
 * per file.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TIMEOUT_MS = 300_000;
/** Batches that run at once. A test of a gateway waits for a third of its time. */
const AT_ONCE = Math.ceil(1.5 * availableParallelism());

const patterns = process.argv.slice(2);
const files = globSync(patterns, { cwd: ROOT }).filter((file) => !file.includes('node_modules'));
if (process.env.HEADGATE_TEST_POSTGRES === undefined)
  console.log('Left out: the tests of the store on Postgres. `npm run test:postgres` runs them.');
const folder = mkdtempSync(join(tmpdir(), 'headgate-batches-'));
try {
  const batches = spreadOut(batchesOf(ROOT, files)).map((batch, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`);
    writeFileSync(path, textOf(batch));
    return path;
  });
  const args = ['--test', `--test-concurrency=${AT_ONCE}`, ...batches];
  process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** No test of a file starts before the file is completely imported, because tests use what is declared below them. */
function textOf(batch: readonly string[]): string {
  const tests = batch.map((file) => {
    const url = pathToFileURL(join(ROOT, file)).href;
    return `test(${JSON.stringify(file)}, { timeout: ${TIMEOUT_MS} }, (context) => {
  const imported = import(${JSON.stringify(url)});
  context.before(() => imported);
  return imported;
});`;
  });
  return ["import { test } from 'node:test';", ...tests, ''].join('\n');
}

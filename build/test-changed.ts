import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesThatReach } from './import-graph.ts';

/**
 * `npm run test:changed [REVISION]`: runs the tests that a change may break: changed ones, and those that import
 * changed files. Tests that only start a gateway do not import it, and are not included. Changes count since the
 * revision, or since this branch left `origin/main`, with uncommitted ones.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

const since = process.argv[2] ?? git('merge-base', 'HEAD', 'origin/main')[0]!;
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
const tests = [...filesThatReach(ROOT, changed)].filter(
  (file) => file.endsWith('.test.ts') && existsSync(join(ROOT, file)),
);
console.log(`${changed.length} files were changed since ${since.slice(0, 12)}: ${tests.length} files of tests.`);
if (tests.length > 0) {
  const run = spawnSync(process.execPath, ['--test', '--test-timeout=300000', ...tests.sort()], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
}

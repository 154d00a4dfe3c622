import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeConsoleApi } from './console-api.ts';
import { isStale } from './stale.ts';

/**
 * `node build/console.ts` builds the web console into `console/dist` atomically; with `--if-stale`, only if it is
 * missing or older than its sources. The present files are served meanwhile.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = join(ROOT, 'console');
const DIST = join(CONSOLE, 'dist');
const NEXT = join(CONSOLE, 'dist-next');
const SOURCES = [join(CONSOLE, 'src'), join(CONSOLE, 'index.html')];
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');

if (!existsSync(VITE)) {
  console.log('The console at / is not built: the development packages are not installed (`npm ci`).');
} else {
  await writeConsoleApi();
  if (!process.argv.includes('--if-stale') || isStale(join(DIST, 'index.html'), SOURCES)) build();
}

function build(): void {
  console.log('Building the console: it is at / in some seconds.');
  rmSync(NEXT, { recursive: true, force: true });
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [VITE, 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', 'dist-next'],
    { cwd: CONSOLE, encoding: 'utf8' },
  );
  if (status !== 0) {
    console.error(`The console could not be built:\n${stdout}${stderr}`);
    process.exitCode = 1;
    return;
  }
  rmSync(DIST, { recursive: true, force: true });
  renameSync(NEXT, DIST);
}

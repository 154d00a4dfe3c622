import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.ts';

/**
 * `node build/console-api.ts` writes `console/src/api/generated.ts`, the operations and types that the console uses,
 * from `/openapi.json`. It does nothing if no source has changed since the last time. The file is not committed.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', 'clients/openapi'].map((path) => join(ROOT, path));
const GENERATED = join(ROOT, 'console', 'src', 'api', 'generated.ts');
/**
 * The time of the last comparison of the file with the sources. An unchanged file keeps its time, so that the console
 * is not built again.
 */
const STAMP = join(ROOT, 'node_modules', '.cache', 'headgate-console-api');

export async function writeConsoleApi(): Promise<void> {
  if (existsSync(GENERATED) && !isStale(STAMP, SOURCES)) return;
  const { consoleApi } = await import('../clients/openapi/console.ts');
  const source = consoleApi(GENERATED);
  if (!existsSync(GENERATED) || readFileSync(GENERATED, 'utf8') !== source) writeFileSync(GENERATED, source);
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeConsoleApi();

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds `dist/`, what a published package runs: the sources as JavaScript, the catalog, and of two packages, much of which is
 * for others, the files that are used (docs/decisions/2026-11-22-what-a-package-carries.md).
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** Node finds a package in a `node_modules` beside what imports it, or above: so the sources name these as they always do. */
const CARRIED: Record<string, string> = {
  'gpt-tokenizer': 'gpt-tokenizer/encoding/o200k_base',
  zod: 'zod',
};

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
cpSync(join(ROOT, 'src', 'catalog', 'catalog.json'), join(DIST, 'catalog', 'catalog.json'));
for (const [name, imported] of Object.entries(CARRIED)) {
  const from = join(ROOT, 'node_modules', name);
  const files = ['package.json', 'LICENSE', ...withImports(from, fileURLToPath(import.meta.resolve(imported)))];
  for (const file of files) cpSync(join(from, file), join(DIST, 'node_modules', name, file));
}

/** This file of a package and each that it imports, and those that they import, as paths in the package's folder. */
function withImports(folder: string, first: string): string[] {
  const found = new Set([first]);
  // A set goes on to what is added on the way.
  for (const file of found) {
    const source = readFileSync(file, 'utf8');
    for (const [, path] of source.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];?$/gm)) {
      found.add(join(dirname(file), path ?? ''));
    }
  }
  return [...found].map((file) => relative(folder, file));
}

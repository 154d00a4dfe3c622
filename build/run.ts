import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf, ROOT } from './packages.ts';

/**
 * Builds `dist/`, what a published package runs: the sources as JavaScript, the console as `build/console.ts` built it, the
 * catalog, and the packages that the sources use, without what of these is for others
 * (docs/decisions/2026-11-22-what-a-package-carries.md).
 */
const DIST = join(ROOT, 'dist');
/** Packages of which little is used, and what the sources import of them. The others are carried whole. */
const USED_IN_PART: Record<string, string> = {
  'gpt-tokenizer': 'gpt-tokenizer/encoding/o200k_base',
  nodemailer: 'nodemailer',
  zod: 'zod',
};
/** Types, maps and documents; and folders of a package's own tests. */
const FILE_FOR_OTHERS = /^(?!licen[cs]e).*\.(?:[cm]?ts|map|md|markdown|yml)$/i;
const FOLDERS_FOR_OTHERS = ['test', 'tests', 'docs', 'examples', 'benchmark', 'benchmarks', '.github', 'node_modules'];

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
cpSync(join(ROOT, 'console', 'dist'), join(DIST, 'console'), { recursive: true });
for (const path of ['catalog/catalog.json', 'json/string-ends.wasm']) cpSync(join(ROOT, 'src', path), join(DIST, path));
// Node finds a package in a `node_modules` beside what imports it, or above: so the sources name these as they always do.
for (const folder of packagesOf(ROOT)) {
  const imported = USED_IN_PART[basename(folder)];
  const to = join(DIST, relative(ROOT, folder));
  if (imported === undefined) {
    cpSync(folder, to, { recursive: true, filter: (path) => !isForOthers(path, folder) });
    continue;
  }
  const files = ['package.json', 'LICENSE', ...withImports(folder, fileURLToPath(import.meta.resolve(imported)))];
  for (const file of files) cpSync(join(folder, file), join(to, file));
}

/** @param folder of its package; packages within it are carried by themselves */
function isForOthers(path: string, folder: string): boolean {
  if (dirname(path) === folder && FOLDERS_FOR_OTHERS.includes(basename(path))) return true;
  return FILE_FOR_OTHERS.test(basename(path)) && statSync(path).isFile();
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

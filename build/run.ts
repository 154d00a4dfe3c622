import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf, ROOT } from './packages.ts';

/**
 * Builds `dist/`, which a published package runs: the sources as JavaScript, the console as built by
 * `build/console.ts`, the catalog, and the packages that the sources use, without files that are not needed at run time
 * (docs/decisions/2026-11-22-what-a-package-carries.md).
 */
const DIST = join(ROOT, 'dist');
/** Packages of which little is used, and what the sources import of them. Other packages are included completely. */
const USED_IN_PART: Record<string, string> = {
  'gpt-tokenizer': 'gpt-tokenizer/encoding/o200k_base',
  nodemailer: 'nodemailer',
  zod: 'zod',
};
/** Types, source maps and documents, and folders of a package's tests. */
const FILE_FOR_OTHERS = /^(?!licen[cs]e).*\.(?:[cm]?ts|map|md|markdown|yml)$/i;
const FOLDERS_FOR_OTHERS = ['test', 'tests', 'docs', 'examples', 'benchmark', 'benchmarks', '.github', 'node_modules'];

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
cpSync(join(ROOT, 'console', 'dist'), join(DIST, 'console'), { recursive: true });
for (const path of ['catalog/catalog.json', 'json/string-ends.wasm']) cpSync(join(ROOT, 'src', path), join(DIST, path));
// Node looks for packages in `node_modules` folders beside the importing file and above, so the sources import them by
// their usual names.
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

/** @param folder - the package's folder; packages within it are copied separately */
function isForOthers(path: string, folder: string): boolean {
  if (dirname(path) === folder && FOLDERS_FOR_OTHERS.includes(basename(path))) return true;
  return FILE_FOR_OTHERS.test(basename(path)) && statSync(path).isFile();
}

/** A file of a package and all files that it imports, directly or not, as paths in the package's folder. */
function withImports(folder: string, first: string): string[] {
  const found = new Set([first]);
  // The loop also visits what is added to the set on the way.
  for (const file of found) {
    const source = readFileSync(file, 'utf8');
    for (const [, path] of source.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];?$/gm)) {
      found.add(join(dirname(file), path ?? ''));
    }
  }
  return [...found].map((file) => relative(folder, file));
}

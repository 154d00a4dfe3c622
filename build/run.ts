import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds `dist/`, what a published package runs: the sources as JavaScript, the console as `build/console.ts` built it, the
 * catalog, and the packages that the sources use, without what of these is for others
 * (docs/decisions/2026-11-22-what-a-package-carries.md).
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** What the sources import: whole packages, or what is imported of one of which little is used. */
const CARRIED: Record<string, 'whole' | { imported: string }> = {
  '@simplewebauthn/server': 'whole',
  fastify: 'whole',
  'gpt-tokenizer': { imported: 'gpt-tokenizer/encoding/o200k_base' },
  'ipaddr.js': 'whole',
  'jsonc-parser': 'whole',
  kysely: 'whole',
  nodemailer: { imported: 'nodemailer' },
  pino: 'whole',
  'prom-client': 'whole',
  undici: 'whole',
  yaml: 'whole',
  zod: { imported: 'zod' },
};
/** Types, maps and documents; and folders of a package's own tests. */
const FILE_FOR_OTHERS = /^(?!licen[cs]e).*\.(?:[cm]?ts|map|md|markdown|yml)$/i;
const FOLDERS_FOR_OTHERS = ['test', 'tests', 'docs', 'examples', 'benchmark', 'benchmarks', '.github', 'node_modules'];

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
cpSync(join(ROOT, 'console', 'dist'), join(DIST, 'console'), { recursive: true });
for (const path of ['catalog/catalog.json', 'json/string-ends.wasm']) cpSync(join(ROOT, 'src', path), join(DIST, path));
// Node finds a package in a `node_modules` beside what imports it, or above: so the sources name these as they always do.
for (const folder of packagesOf(Object.keys(CARRIED))) {
  const used = CARRIED[basename(folder)] ?? 'whole';
  const to = join(DIST, relative(ROOT, folder));
  if (used === 'whole') {
    cpSync(folder, to, { recursive: true, filter: (path) => !isForOthers(path, folder) });
    continue;
  }
  const files = ['package.json', 'LICENSE', ...withImports(folder, fileURLToPath(import.meta.resolve(used.imported)))];
  for (const file of files) cpSync(join(folder, file), join(to, file));
}

/** @param folder of its package; packages within it are carried by themselves */
function isForOthers(path: string, folder: string): boolean {
  if (dirname(path) === folder && FOLDERS_FOR_OTHERS.includes(basename(path))) return true;
  return FILE_FOR_OTHERS.test(basename(path)) && statSync(path).isFile();
}

/** The folders of these packages and of all that they need. */
function packagesOf(names: readonly string[]): string[] {
  const found = new Set(names.map((name) => folderOf(name, ROOT)));
  // A set goes on to what is added on the way.
  for (const folder of found) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) found.add(folderOf(name, folder));
  }
  return [...found];
}

/** Where Node would find a package that is imported in a folder. */
function folderOf(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (from === ROOT) throw new Error(`${name} is imported and not installed.`);
  return folderOf(name, dirname(from));
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

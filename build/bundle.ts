import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { isStale } from './stale.ts';

/**
 * `node build/bundle.ts` bundles what a gateway runs into a few JavaScript files, for tests that start many gateways
 * (docs/decisions/2026-11-27-tests-start-a-bundle.md). With `--if-stale`, only if they are missing or older than the
 * sources. The folder looks like an installed package: `bin/headgate.js` finds `dist/main.js` beside it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');
const BUNDLE = join(ROOT, 'node_modules', '.cache', 'headgate-bundle');
const NEXT = `${BUNDLE}-next`;
const MAIN = join('dist', 'main.js');
/** The entry points: the command, and each thread. They have the same paths in `dist` as in `src`. */
const ENTRIES = ['main', 'runtime/table-thread-entry', 'runtime/replay-thread', 'store/sqlite/thread/entry'];
/** Files that the sources read at run time. */
const READ = ['catalog/catalog.json', 'json/string-ends.wasm'];
/** Packages that are not bundled, since they look for their own files. Node finds them in their usual place. */
const OUTSIDE = ['jsonc-parser'];
/** What a bundle is made from, relative to the root of the repository. */
const SOURCES = ['src', 'bin', 'build/bundle.ts', 'package.json', 'package-lock.json'];

/** The collection in `src/runtime/memory.ts`. */
const COLLECTION = /collect\(\{.*\}\);/;

/** The default of `server.worker_timeout` in `src/config/schema.ts`. */
const PATIENCE = /(?<=worker_timeout: wait\(2000\)\s*\.prefault\(')10s(?='\))/;

/** Keeps the paths of source files: what a file looks for in `src` is in the same place in `dist`. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(?:url|dirname)/ },
    handler(code, id) {
      if (!id.startsWith(SRC)) return null;
      const place = join(BUNDLE, 'dist', relative(SRC, id)).replace(/\.ts$/, '.js');
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)));
    },
  },
};

/**
 * Leaves out the collection before a gateway listens (`src/runtime/memory.ts`). It is a third of a start's CPU time, and
 * only what a gateway holds for hours gains from it.
 */
const leaveMemory: Plugin = {
  name: 'leave-memory',
  transform: {
    filter: { id: /\/runtime\/memory\.ts$/ },
    handler(code) {
      const left = code.replace(COLLECTION, '');
      assert.notEqual(left, code, 'src/runtime/memory.ts has no such collection');
      return left;
    },
  },
};

/**
 * A worker, and the thread of the tables, may leave more than ten seconds unanswered: where as many tests run as can, that is
 * a busy machine. Tests of workers that hang set how long.
 */
const bePatient: Plugin = {
  name: 'be-patient',
  transform: {
    filter: { id: /\/config\/schema\.ts$/ },
    handler(code) {
      const patient = code.replace(PATIENCE, '10m');
      assert.notEqual(patient, code, 'src/config/schema.ts has no such default');
      return patient;
    },
  },
};

const sources = SOURCES.map((path) => join(ROOT, path));
if (!process.argv.includes('--if-stale') || isStale(join(BUNDLE, MAIN), sources)) await build();

/** Replaces the bundle atomically: the present one can be started meanwhile. */
async function build(): Promise<void> {
  rmSync(NEXT, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(SRC, `${entry}.ts`)])),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces, leaveMemory, bePatient],
    logLevel: 'warn',
  });
  await bundle.write({
    dir: join(NEXT, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names stay, because some are displayed. Comments and spaces would only slow down reading.
    minify: { mangle: false, compress: false, codegen: true },
  });
  for (const path of READ) cpSync(join(SRC, path), join(NEXT, 'dist', path));
  for (const path of ['package.json', 'bin']) cpSync(join(ROOT, path), join(NEXT, path), { recursive: true });
  symlinkSync(join(ROOT, 'console', 'dist'), join(NEXT, 'dist', 'console'));
  rmSync(BUNDLE, { recursive: true, force: true });
  renameSync(NEXT, BUNDLE);
}

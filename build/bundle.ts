import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown';
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
/** What is loaded by a command, by a gateway that starts, and by its threads. */
const STARTS = {
  command: ['main'],
  serve: ['main', 'cli/serve', 'runtime/serve', 'runtime/single-process', 'store/sqlite/threaded-storage'],
  thread: ['runtime/table-thread-entry', 'store/sqlite/thread/entry', 'store/sqlite/thread/serve-tables'],
  storage: ['store/sqlite/storage'],
};
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

/**
 * The chunk of a module: modules that the same starts load are one file, since reading a file costs more than its contents.
 * `null` leaves a module that no start loads to the bundler. A module's imports are loaded wherever it is, so no two chunks
 * import each other.
 */
function chunkName(): (id: string, context: ChunkingContext) => string | null {
  const entries = new Set(ENTRIES.map((entry) => join(SRC, `${entry}.ts`)));
  let loaded: Map<string, ReadonlySet<string>> | null = null;
  return (id, context) => {
    const importsOf = (module: string) => context.getModuleInfo(module)?.importedIds ?? [];
    loaded ??= new Map(Object.entries(STARTS).map(([name, files]) => [name, reached(files, importsOf)]));
    if (entries.has(id)) return null;
    const names = [...loaded].filter(([, modules]) => modules.has(id)).map(([name]) => name);
    return names.length === 0 ? null : names.join('-');
  };
}

function reached(files: readonly string[], importsOf: (module: string) => readonly string[]): ReadonlySet<string> {
  const modules = new Set(files.map((file) => join(SRC, `${file}.ts`)));
  // A set's loop also visits what is added during it.
  for (const module of modules) for (const imported of [...importsOf(module)]) modules.add(imported);
  return modules;
}

const sources = SOURCES.map((path) => join(ROOT, path));
if (!process.argv.includes('--if-stale') || isStale(join(BUNDLE, MAIN), sources)) await build();

/** Replaces the bundle atomically: the present one can be started meanwhile. */
async function build(): Promise<void> {
  rmSync(NEXT, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(SRC, `${entry}.ts`)])),
    platform: 'node',
    external: OUTSIDE,
    preserveEntrySignatures: 'allow-extension',
    plugins: [keepPlaces, leaveMemory, bePatient],
    // What a chunk of this shape has together, some import only when they need it.
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  await bundle.write({
    dir: join(NEXT, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: [{ name: chunkName(), debugName: 'starts' }], includeDependenciesRecursively: false },
    // Names stay, because some are displayed. Comments and spaces would only slow down reading.
    minify: { mangle: false, compress: false, codegen: true },
  });
  for (const path of READ) cpSync(join(SRC, path), join(NEXT, 'dist', path));
  for (const path of ['package.json', 'bin']) cpSync(join(ROOT, path), join(NEXT, path), { recursive: true });
  symlinkSync(join(ROOT, 'console', 'dist'), join(NEXT, 'dist', 'console'));
  rmSync(BUNDLE, { recursive: true, force: true });
  renameSync(NEXT, BUNDLE);
}

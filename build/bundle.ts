import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { isStale } from './stale.ts';

/**
 * `node build/bundle.ts` puts all that a gateway runs into a few files of JavaScript, for tests that start many
 * (docs/decisions/2026-11-27-tests-start-a-bundle.md). With `--if-stale`, only where they are missing or older than the sources.
 * The folder looks like an installed package: `bin/headgate.js` finds `dist/main.js` beside it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');
const BUNDLE = join(ROOT, 'node_modules', '.cache', 'headgate-bundle');
const NEXT = `${BUNDLE}-next`;
const MAIN = join('dist', 'main.js');
/** What is started: the command, and each thread. Their places in `dist` are those that they have in `src`. */
const ENTRIES = ['main', 'runtime/table-thread-entry', 'runtime/replay-thread', 'store/thread/entry'];
/** Files that the sources read beside themselves. */
const READ = ['catalog/catalog.json', 'json/string-ends.wasm'];
/** Packages that stay outside, since they find their files in a way that cannot be followed. Node finds them where they are. */
const OUTSIDE = ['jsonc-parser'];
/** What a bundle is made of, from the root of the repository. */
const SOURCES = ['src', 'bin', 'build/bundle.ts', 'package.json', 'package-lock.json'];

/** A file of the sources keeps its place: what it looks for beside itself is in `dist` where it is in `src`. */
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

const sources = SOURCES.map((path) => join(ROOT, path));
if (!process.argv.includes('--if-stale') || isStale(join(BUNDLE, MAIN), sources)) await build();

/** All of it or nothing: what is there goes on being started meanwhile. */
async function build(): Promise<void> {
  rmSync(NEXT, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(SRC, `${entry}.ts`)])),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces],
    logLevel: 'warn',
  });
  await bundle.write({
    dir: join(NEXT, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names stay: some are shown. Comments and spaces would only be read.
    minify: { mangle: false, compress: false, codegen: true },
  });
  for (const path of READ) cpSync(join(SRC, path), join(NEXT, 'dist', path));
  for (const path of ['package.json', 'bin']) cpSync(join(ROOT, path), join(NEXT, path), { recursive: true });
  symlinkSync(join(ROOT, 'console', 'dist'), join(NEXT, 'dist', 'console'));
  rmSync(BUNDLE, { recursive: true, force: true });
  renameSync(NEXT, BUNDLE);
}

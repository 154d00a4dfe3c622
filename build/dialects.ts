import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * `node build/dialects.ts [FOLDER]` builds the package `@headgate/dialects`: its facade and the rooms of `src/` behind
 * it become one file (docs/decisions/2026-11-27-the-dialects-package-is-built-from-src.md). Default:
 * `packages/dialects/dist`.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'dialects');
const DIST = process.argv[2] ?? join(PACKAGE, 'dist');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');
/** The scanner reads this file from its own folder. */
const WASM = 'string-ends.wasm';

rmSync(DIST, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(PACKAGE, 'src', 'index.ts'),
  platform: 'node',
  logLevel: 'warn',
});
await bundle.write({ file: join(DIST, 'index.js'), format: 'esm' });
await bundle.close();
cpSync(join(ROOT, 'src', 'json', WASM), join(DIST, WASM));
writeFileSync(join(DIST, 'index.d.ts'), declarations());

/** The types of the facade, which do not refer to files behind it. */
function declarations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-dialects-'));
  try {
    const options = [
      '--noEmit',
      'false',
      '--declaration',
      '--emitDeclarationOnly',
      '--rootDir',
      ROOT,
      '--outDir',
      folder,
    ];
    const { status } = spawnSync(TSC, ['-p', PACKAGE, ...options], { stdio: 'inherit' });
    if (status !== 0) throw new Error('The types could not be written.');
    const source = readFileSync(join(folder, 'packages', 'dialects', 'src', 'index.d.ts'), 'utf8');
    if (/from '\.|import\(/.test(source)) throw new Error(`The types name other files:\n${source}`);
    return source;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

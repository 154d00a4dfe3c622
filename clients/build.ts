import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `node clients/build.ts FOLDER…`: makes `dist` of packages in TypeScript: JavaScript without comments, types with them. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');

for (const folder of process.argv.slice(2)) build(join(ROOT, 'clients', folder));

function build(folder: string): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  compile(folder, '--emitDeclarationOnly');
  compile(folder, '--declaration', 'false', '--removeComments');
}

function compile(folder: string, ...options: string[]): void {
  const { status } = spawnSync(TSC, ['-p', folder, ...options], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${folder} could not be compiled.`);
}

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readManifest } from '../packages.ts';

/**
 * `npm run pack [-- --to FOLDER]`: builds `dist/` and packs the published package as a tarball (default folder: this
 * one). Its `package.json` has no dependency but Node.js itself, because `dist/` contains the packages that it uses
 * (docs/decisions/2026-11-22-what-a-package-carries.md).
 */
const OF_A_CHECKOUT = ['private', 'workspaces', 'scripts', 'dependencies', 'devDependencies'];

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: 'string', default: '.' } } });
  console.log(packGateway(resolve(values.to)));
}

/** Builds the gateway and packs it into `folder`. Returns the path of the tarball. */
export function packGateway(folder: string): string {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const staging = mkdtempSync(join(tmpdir(), 'headgate-pack-'));
  try {
    const manifest = readManifest(ROOT);
    for (const path of manifest.files ?? []) cpSync(join(ROOT, path), join(staging, path), { recursive: true });
    const published = Object.entries(manifest).filter(([name]) => !OF_A_CHECKOUT.includes(name));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
    return npmPack(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Packs the package in `source` into `folder`. Returns the path of the tarball. */
export function npmPack(source: string, folder: string): string {
  const { name, version } = readManifest(source);
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'ignore' });
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

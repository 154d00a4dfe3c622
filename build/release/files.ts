import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, readManifest } from '../packages.ts';
import { npmPack, packGateway } from './package.ts';
import { sbom } from './sbom.ts';

/**
 * `npm run release:files [-- --to FOLDER]`: makes the files of a release (default folder: `release/`): tarballs of the
 * gateway, the JavaScript clients and the translator, the wheel of the Python client, the SBOM, the version's part of
 * the changelog, and `SHA256SUMS`. It publishes nothing. The same commit gives the same bytes.
 */
const PACKAGES = ['clients/javascript', 'clients/ai-sdk', 'packages/dialects'];

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: 'string', default: 'release' } } });
  const folder = resolve(values.to);
  makeFiles(folder, { python: true });
  for (const name of readdirSync(folder)) console.log(join(folder, name));
}

/**
 * Makes the files of a release in an empty folder, which is created. Without `python`, the Python client is left out.
 */
export function makeFiles(folder: string, { python }: { python: boolean }): void {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  packGateway(folder);
  for (const path of PACKAGES) npmPack(join(ROOT, path), folder);
  if (python) buildPython(folder);
  const { name, version } = readManifest(ROOT);
  writeFileSync(join(folder, `${name}-${version}.cdx.json`), sbom());
  writeFileSync(join(folder, 'CHANGES.md'), changesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version));
  writeFileSync(join(folder, 'SHA256SUMS'), sums(folder));
}

/** Builds with the backend that the package names, which pip installs. */
function buildPython(folder: string): void {
  const source = join(ROOT, 'clients', 'python');
  execFileSync('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, source], {
    stdio: 'inherit',
  });
}

/** The part of the changelog for a version, without its heading; the unreleased part if the version has none yet. */
export function changesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const part =
    parts.find((each) => each.startsWith(`[${version}]`)) ?? parts.find((each) => each.startsWith('[Unreleased]'));
  if (part === undefined) throw new Error(`CHANGELOG.md has no part for ${version}.`);
  return `${part.slice(part.indexOf('\n')).trim()}\n`;
}

/** One line per file, in the format of `sha256sum --check`. */
function sums(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${basename(name)}\n`,
    );
  return lines.join('');
}

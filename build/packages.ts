import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The members of `package.json` that this project reads. */
export type Manifest = Record<string, unknown> & {
  name: string;
  version: string;
  license?: string;
  files?: string[];
  dependencies?: Record<string, string>;
};

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folders of all packages that the package in `folder` needs, directly or not. */
export function packagesOf(folder: string): string[] {
  const found = new Set<string>();
  const open = [folder];
  for (let needing = open.pop(); needing !== undefined; needing = open.pop()) {
    for (const name of Object.keys(readManifest(needing).dependencies ?? {})) {
      const needed = folderOf(name, needing);
      if (!found.has(needed)) open.push(needed);
      found.add(needed);
    }
  }
  return [...found].sort();
}

/** The folder of a package that is imported from a folder. */
function folderOf(name: string, from: string): string {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (from === dirname(from)) throw new Error(`${name} is imported and not installed.`);
  return folderOf(name, dirname(from));
}

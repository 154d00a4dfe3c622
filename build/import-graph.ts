import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const SOURCES = '{src,tests,bench,build,clients,console}/**/*.{ts,tsx}';
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** `changed`, and all files that import one of them, directly or not. Paths are relative to `root`, with `/`. */
export function filesThatReach(root: string, changed: readonly string[]): Set<string> {
  const importers = importersOf(root);
  const found = new Set(changed);
  // The loop also visits what is added to the set on the way.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}

function importersOf(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync(SOURCES, { cwd: root, exclude: (name) => name.split('/').includes('node_modules') })) {
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const imported = normalize(join(dirname(file), path!));
      if (existsSync(join(root, imported))) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

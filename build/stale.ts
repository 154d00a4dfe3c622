import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * True if a built file is missing or older than one of its sources, which are files or whole folders. Deletions are not
 * detected.
 */
export function isStale(built: string, sources: readonly string[]): boolean {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return true;
  return sources.flatMap(filesOf).some((file) => statSync(file).mtimeMs > builtAt);
}

function filesOf(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

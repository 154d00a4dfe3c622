import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder that a peer is installed in. It is created if missing. */
export function cacheFolder(name: string): string {
  const folder = fileURLToPath(new URL(`../.cache/${name}`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  return folder;
}

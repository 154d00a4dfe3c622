import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the data folder, and those it is in, closed to other users. One that is there already keeps its owner's
 * permissions. One by one: `recursive` never comes back where a folder is refused as not found (`/proc/x`).
 */
export function makePrivateFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Makes an empty file, closed to other users, unless there is one. A file that exists is never opened: closing it would
 * drop the POSIX locks that SQLite holds on it in this process.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

import { closeSync, mkdirSync, openSync } from 'node:fs';

/** Makes the data folder, closed to other users. One that is there already keeps its owner's permissions. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

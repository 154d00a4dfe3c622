import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
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

/** The data folder cannot be used; the message is a sentence for the operator. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Makes the data folder where it is missing. Throws a `DataFolderError` where it cannot be written: nothing can be read
 * then either, since SQLite keeps its index of what was written last beside the database.
 */
export function requireDataFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = REASONS[code ?? ''];
    if (reason === undefined) throw error;
    const sentence = `The data folder ${folder} cannot be written: ${reason} (${code}). Headgate writes there even to read.`;
    throw new DataFolderError(sentence, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota on its disk is used up',
};

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

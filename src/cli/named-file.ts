import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from './failure.ts';

/** The text of a named file. Throws file system errors, and an `OperatorError` for a folder. */
export function readNamedFile(path: string): string {
  demandFile(path);
  return readFileSync(path, 'utf8');
}

/** Throws an `OperatorError` for a folder: the system's message would not name it. */
export function demandFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`${path} is a folder, not a file.`);
}

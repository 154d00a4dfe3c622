import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../../store/folder.ts';
import { OperatorError } from '../failure.ts';
import { demandFile } from '../named-file.ts';
import type { FileEdit } from './tool.ts';

/** A written file; `backup` is `null` if it did not exist before. */
export type WrittenFile = { path: string; backup: string | null; holdsKey: boolean };

const OWNER_ALONE = 0o600;

/** Prepares an edit without writing it, so that failures come before any change. Throws an `OperatorError`. */
export function checkEdit({ path, edit }: FileEdit): void {
  edit(readText(path));
}

/**
 * Applies an edit atomically, with a backup beside it. `null` if nothing changes. A symbolic link is followed. Throws
 * file system errors.
 */
export function applyEdit({ path, holdsKey, edit }: FileEdit, now: number): WrittenFile | null {
  const before = readText(path);
  const after = edit(before);
  if (before === null) {
    makePrivateFolder(dirname(path));
    replace(path, after, OWNER_ALONE);
    return { path, backup: null, holdsKey };
  }
  const target = realpathSync(path);
  const mode = statSync(target).mode & 0o777;
  if (after === before) {
    if (holdsKey) chmodSync(target, OWNER_ALONE);
    return null;
  }
  const backup = backUp(target, mode, now);
  replace(target, after, holdsKey ? OWNER_ALONE : mode);
  return { path: target, backup, holdsKey };
}

/**
 * Throws an `OperatorError` for a broken link, a pipe, a device, or a file that is not text: an edit would destroy
 * these.
 */
function readText(path: string): string | null {
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
    throw new OperatorError(`${path} cannot be edited: it is a link to a file that is not there.`);
  }
  demandFile(path);
  if (!statSync(path).isFile()) throw new OperatorError(`${path} cannot be edited: it is a pipe or a device.`);
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new OperatorError(`${path} cannot be edited: it is not UTF-8.`);
}

/** A copy with the same permissions and a new name. */
function backUp(path: string, mode: number, now: number): string {
  const stamp = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
  const name = `${path}.backup-${stamp}`;
  let backup = name;
  for (let count = 2; existsSync(backup); count++) backup = `${name}-${count}`;
  copyFileSync(path, backup, constants.COPYFILE_EXCL);
  chmodSync(backup, mode);
  return backup;
}

/** Atomic: a reader sees the old text or the new one. */
function replace(path: string, text: string, mode: number): void {
  const fresh = `${path}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { mode: OWNER_ALONE, flag: 'wx' });
    chmodSync(fresh, mode);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

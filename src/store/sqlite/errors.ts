import type { StorageReason } from '../../core/ports.ts';

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
export const SQLITE = {
  error: 1,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notDatabase: 26,
} as const;

/** Another connection holds the write lock: nothing was done, and the same statement may do later. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE.busy;
}

/** The fault lies in the values of one statement (or in our own code before it), not in the store. */
export function isValueFault(error: unknown): boolean {
  const code = resultCode(error);
  return code === null || code === SQLITE.tooBig || code === SQLITE.constraint || code === SQLITE.mismatch;
}

const REASONS: ReadonlyMap<number | null, StorageReason> = new Map([
  [SQLITE.full, 'full'],
  [SQLITE.readOnly, 'read_only'],
]);

/** What an error of SQLite says of the disk; `null`: nothing. */
export function diskReason(error: unknown): StorageReason | null {
  return REASONS.get(resultCode(error)) ?? null;
}

/** The primary code, without SQLite's extension of it; `null` for an error that is not SQLite's. */
export function resultCode(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null;
  return error.errcode & 0xff;
}

import { GatewayError } from '../../core/errors.ts';

/** Primary result codes of SQLite: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const TOO_BIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;

/** Another connection holds the write lock: nothing was done, and the same statement may do later. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** The fault lies in the values of one statement (or in our own code before it), not in the store. */
export function isValueFault(error: unknown): boolean {
  const code = resultCode(error);
  return code === null || code === TOO_BIG || code === CONSTRAINT || code === MISMATCH;
}

export function storageUnavailable(cause: unknown): GatewayError {
  return new GatewayError('storage_unavailable', 'The gateway could not write or read its records.', { cause });
}

/** The primary code, without SQLite's extension of it; `null` for an error that is not SQLite's. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return null;
  return error.errcode & 0xff;
}

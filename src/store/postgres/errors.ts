import pg from 'pg';
import type { StorageReason } from '../../core/ports.ts';

/** The connection to the database failed, or there is none: nothing is known of a statement that was under way. */
export class StoreGoneError extends Error {
  override readonly name = 'StoreGoneError';
}

/** SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const POSTGRES = {
  uniqueViolation: '23505',
  readOnly: '25006',
  serializationFailure: '40001',
  deadlock: '40P01',
  noSuchStatement: '26000',
  diskFull: '53100',
  lockNotAvailable: '55P03',
} as const;

const AGAIN: readonly string[] = [POSTGRES.serializationFailure, POSTGRES.deadlock, POSTGRES.lockNotAvailable];

/** Others were in the way: nothing was done, and the same transaction may do later. */
export function mayDoAgain(error: unknown): boolean {
  return AGAIN.includes(sqlState(error) ?? '');
}

/** The fault lies in values: they do not fit a column, or break a constraint. */
export function breaksConstraint(error: unknown): boolean {
  return sqlState(error)?.startsWith('23') === true;
}

/** The fault lies in the values of one statement (or in our own code before it), not in the store. */
export function isValueFault(error: unknown): boolean {
  if (error instanceof StoreGoneError) return false;
  const state = sqlState(error);
  return state === null || state.startsWith('22') || state.startsWith('23');
}

/** The database cannot be reached, is going down, or has no room for another connection. */
export function isGone(error: unknown): boolean {
  return error instanceof StoreGoneError || /^(?:08|53|57P)/.test(sqlState(error) ?? '');
}

const REASONS: ReadonlyMap<string | null, StorageReason> = new Map([
  [POSTGRES.diskFull, 'full'],
  [POSTGRES.readOnly, 'read_only'],
]);

/** What an error of Postgres says of its disk; `null`: nothing. */
export function diskReason(error: unknown): StorageReason | null {
  return REASONS.get(sqlState(error)) ?? null;
}

/** The SQLSTATE of what Postgres answered; `null` for an error that is not Postgres's. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

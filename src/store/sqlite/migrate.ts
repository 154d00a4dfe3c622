import type { DatabaseSync } from 'node:sqlite';
import { laterColumns } from './later-columns.ts';
import { oldCalls } from './migrations/0036-old-calls.ts';
import { noTriggers } from './migrations/0037-no-triggers.ts';
import { FIRST_SCHEMA } from './schema/schema.ts';

/** The schema's versions: what makes one of nothing, and what makes each of the one before it. */
export type Migrations = {
  /** Makes version `firstVersion` in an empty database. */
  first: string;
  firstVersion: number;
  /** In order. The first makes version `oldest + 1` of `oldest`; the last makes the present version. */
  steps: readonly string[];
  oldest: number;
};

/** A step that has shipped is never changed. A release changes `first` no more: what follows is a step. */
export const MIGRATIONS: Migrations = {
  first: FIRST_SCHEMA,
  firstVersion: 37,
  steps: [oldCalls, noTriggers],
  oldest: 35,
};

export const SCHEMA_VERSION = latest(MIGRATIONS);

/**
 * Makes the schema, or brings it up to date, in one transaction. Throws where the database was written by a newer version, or by
 * one that is too old.
 */
export function migrate(database: DatabaseSync, migrations: Migrations = MIGRATIONS): void {
  if (missing(database, migrations).length === 0 && laterColumns(database).length === 0) return;
  database.exec('begin immediate');
  try {
    // Asked again under the lock: another process may have been faster.
    for (const statements of missing(database, migrations)) database.exec(statements);
    // Columns that the sources name are made once the tables are there.
    for (const statement of laterColumns(database)) database.exec(statement);
    database.exec(`pragma user_version = ${latest(migrations)}`);
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function latest({ steps, oldest }: Migrations): number {
  return oldest + steps.length;
}

function missing(database: DatabaseSync, migrations: Migrations): readonly string[] {
  const { first, firstVersion, steps, oldest } = migrations;
  const version = Number(database.prepare('pragma user_version').get()?.user_version);
  if (version > latest(migrations)) {
    throw new Error(
      `it was written by a newer headgate (schema ${version}, and this one knows ${latest(migrations)}): ` +
        'start that version, or restore a backup from before it',
    );
  }
  if (version === 0) return [first, ...steps.slice(firstVersion - oldest)];
  if (version < oldest || isUnprepared(database, version)) {
    throw new Error(
      `it was written by a headgate from before the first release (schema ${version}, and this one reads ${oldest} and later): ` +
        'use the version that wrote it, or begin with an empty data folder',
    );
  }
  return steps.slice(version - oldest);
}

/** Whether records of versions before 35 are not grouped and summed yet, as version 35 does in the background. */
function isUnprepared(database: DatabaseSync, version: number): boolean {
  if (version !== 35) return false;
  const unprepared = 'select 1 from ungrouped_calls union all select 1 from unsummed_calls limit 1';
  return database.prepare(unprepared).get() !== undefined;
}

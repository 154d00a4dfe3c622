import type { DatabaseSync } from 'node:sqlite';
import { laterColumns } from './later-columns.ts';
import { webhooksByEndpoint } from './migrations/0024-webhooks-by-endpoint.ts';
import { auditActors } from './migrations/0025-audit-actors.ts';
import { knownNetworks } from './migrations/0026-known-networks.ts';
import { endedSessions } from './migrations/0027-ended-sessions.ts';
import { keyMakers } from './migrations/0028-key-makers.ts';
import { usageChosen } from './migrations/0029-usage-chosen.ts';
import { listsByIndex } from './migrations/0030-lists-by-index.ts';
import { errorCodes } from './migrations/0031-error-codes.ts';
import { searchedKeys } from './migrations/0032-searched-keys.ts';
import { invitesBySender } from './migrations/0033-invites-by-sender.ts';
import { workerSpend } from './migrations/0034-worker-spend.ts';
import { auditGroups } from './migrations/0035-audit-groups.ts';
import { oldCalls } from './migrations/0036-old-calls.ts';
import { noTriggers } from './migrations/0037-no-triggers.ts';
import { refusedCalls } from './migrations/0038-refused-calls.ts';
import { FIRST_SCHEMA } from './schema/schema.ts';

/** The SQL that creates the schema, and the SQL of each later version. */
export type Migrations = {
  /** Makes version `firstVersion` in an empty database. */
  first: string;
  firstVersion: number;
  /** In order. The first makes version `oldest + 1` of `oldest`; the last makes the present version. */
  steps: readonly string[];
  oldest: number;
};

/** The last version that prepared records of earlier ones in the background. */
const LAST_PREPARED = 35;

/** A step that has shipped is never changed. After the first release `first` is not changed either. */
const STEPS: readonly string[] = [
  webhooksByEndpoint,
  auditActors,
  knownNetworks,
  endedSessions,
  keyMakers,
  usageChosen,
  listsByIndex,
  errorCodes,
  searchedKeys,
  invitesBySender,
  workerSpend,
  auditGroups,
  oldCalls,
  noTriggers,
  refusedCalls,
];

export const MIGRATIONS: Migrations = { first: FIRST_SCHEMA, firstVersion: 38, steps: STEPS, oldest: 23 };

export const SCHEMA_VERSION = latest(MIGRATIONS);

/**
 * Makes the schema, or brings it up to date, in one transaction. Throws if the database was written by a newer version, or by
 * one that is too old.
 */
export function migrate(database: DatabaseSync, migrations: Migrations = MIGRATIONS): void {
  if (versionOf(database) === latest(migrations) && laterColumns(database).length === 0) return;
  database.exec('begin immediate');
  try {
    // All else is asked under the lock: another process may bring the schema up to date at the same time.
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

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.user_version);
}

function latest({ steps, oldest }: Migrations): number {
  return oldest + steps.length;
}

function missing(database: DatabaseSync, migrations: Migrations): readonly string[] {
  const { first, firstVersion, steps, oldest } = migrations;
  const version = versionOf(database);
  if (version > latest(migrations)) {
    throw new Error(
      `it was written by a newer headgate (schema ${version}, and this one knows ${latest(migrations)}): ` +
        'start that version, or restore a backup from before it',
    );
  }
  if (version === 0) return [first, ...steps.slice(firstVersion - oldest)];
  if (version < oldest) {
    throw new Error(
      `it was written by a headgate from before the first release (schema ${version}, and this one reads ${oldest} and later): ` +
        'use the version that wrote it, or begin with an empty data folder',
    );
  }
  if (isUnprepared(database, version)) {
    throw new Error(
      `records of an earlier version have not been prepared yet (schema ${version}): start the version that wrote it ` +
        'once more, wait until it logs that they are prepared, and then start this one',
    );
  }
  return steps.slice(version - oldest);
}

/** Whether records of versions before 23 are not grouped and summed yet, as versions 23 to 35 did in the background. */
function isUnprepared(database: DatabaseSync, version: number): boolean {
  if (version > LAST_PREPARED) return false;
  const unprepared = 'select 1 from ungrouped_calls union all select 1 from unsummed_calls limit 1';
  return database.prepare(unprepared).get() !== undefined;
}

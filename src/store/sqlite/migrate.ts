import type { DatabaseSync } from 'node:sqlite';
import { laterColumns } from './later-columns.ts';
import { first } from './migrations/0001-first.ts';
import { journals } from './migrations/0002-journals.ts';
import { dropped } from './migrations/0003-dropped.ts';
import { attempts } from './migrations/0004-attempts.ts';
import { leases } from './migrations/0005-leases.ts';
import { routes } from './migrations/0006-routes.ts';
import { boundedRecords } from './migrations/0007-bounded-records.ts';
import { callGroups } from './migrations/0008-call-groups.ts';
import { usageDays } from './migrations/0009-usage-days.ts';
import { keyChanges } from './migrations/0010-key-changes.ts';
import { settings } from './migrations/0011-settings.ts';
import { moreUsage } from './migrations/0012-more-usage.ts';
import { groupsEnd } from './migrations/0013-groups-end.ts';
import { budgets } from './migrations/0014-budgets.ts';
import { people } from './migrations/0015-people.ts';
import { webhooks } from './migrations/0016-webhooks.ts';
import { routeVersions } from './migrations/0017-route-versions.ts';
import { groupsByStatus } from './migrations/0018-groups-by-status.ts';
import { settledBatches } from './migrations/0019-settled-batches.ts';
import { pricesByModel } from './migrations/0020-prices-by-model.ts';
import { keyVersions } from './migrations/0021-key-versions.ts';
import { firstTokens } from './migrations/0022-first-tokens.ts';
import { daysByGroup } from './migrations/0023-days-by-group.ts';
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

/** In order: the first makes version 1 of the schema out of nothing. One that has shipped is never changed. */
export const MIGRATIONS: readonly string[] = [
  first,
  journals,
  dropped,
  attempts,
  leases,
  routes,
  boundedRecords,
  callGroups,
  usageDays,
  keyChanges,
  settings,
  moreUsage,
  groupsEnd,
  budgets,
  people,
  webhooks,
  routeVersions,
  groupsByStatus,
  settledBatches,
  pricesByModel,
  keyVersions,
  firstTokens,
  daysByGroup,
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
];

/** Brings the schema up to date in one transaction. Throws where the database was written by a newer version. */
export function migrate(database: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  // Columns that the sources name are made once all migrations are there: some of these make the tables.
  const later = () => (migrations === MIGRATIONS ? laterColumns(database) : []);
  if (missing(database, migrations).length === 0 && later().length === 0) return;
  database.exec('begin immediate');
  try {
    // Asked again under the lock: another process may have been faster.
    for (const migration of missing(database, migrations)) database.exec(migration);
    for (const statement of later()) database.exec(statement);
    database.exec(`pragma user_version = ${migrations.length}`);
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function missing(database: DatabaseSync, migrations: readonly string[]): readonly string[] {
  const version = Number(database.prepare('pragma user_version').get()?.user_version);
  if (version > migrations.length) {
    throw new Error(
      `it was written by a newer headgate (schema ${version}, and this one knows ${migrations.length}): ` +
        'start that version, or restore a backup from before it',
    );
  }
  return migrations.slice(version);
}

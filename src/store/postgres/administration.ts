import type { Kysely } from 'kysely';
import { createAuditReader } from '../audit-reader.ts';
import { createFeedbackStore } from '../feedback.ts';
import { createKeyLookup, createKeyWriter } from '../keys.ts';
import { createModelStore } from '../models.ts';
import { createOrganizationStore } from '../organizations.ts';
import { createPeopleStore } from '../people.ts';
import { createRouteStore } from '../routes.ts';
import type { Schema } from '../schema.ts';
import { createSettingsStore } from '../settings.ts';
import { createSettingsLists } from '../settings-lists.ts';
import type { Tables } from '../tables.ts';
import { createThresholdStore } from '../told-thresholds.ts';
import { createWebhookStore } from '../webhooks.ts';
import { nearestKeys } from './nearest-keys.ts';
import type { PostgresPool } from './pool.ts';
import { findKept } from './search.ts';
import { createTransact } from './transact.ts';

export type AdministrationParts = {
  pool: PostgresPool;
  db: Kysely<Schema>;
  /** Has the head of the audit log. */
  folder: string;
  lockWaitMs: number;
  catchUp(): Promise<void>;
  onFailure(error: unknown): void;
};

/** All of the tables but those of the ledger. */
export type AdministrationTables = Pick<
  Tables,
  | 'keys'
  | 'organizations'
  | 'settings'
  | 'people'
  | 'audit'
  | 'routes'
  | 'models'
  | 'feedback'
  | 'thresholds'
  | 'webhooks'
>;

/** The ports of administration over Postgres. */
export function createAdministration({ catchUp, ...parts }: AdministrationParts): AdministrationTables {
  const { db, folder } = parts;
  const transact = createTransact(parts);
  const lists = createSettingsLists(db, { nearestKeys, search: (...asked) => findKept(db, ...asked) });
  return {
    keys: { ...createKeyLookup(db, catchUp), ...createKeyWriter(db, transact) },
    organizations: createOrganizationStore(db, transact),
    settings: createSettingsStore({ db, transact, catchUp, lists }),
    people: createPeopleStore(db),
    audit: createAuditReader(db, folder),
    routes: createRouteStore(db),
    models: createModelStore(db),
    feedback: createFeedbackStore(db),
    thresholds: createThresholdStore({ read: db, write: db }, catchUp),
    webhooks: createWebhookStore(db),
  };
}

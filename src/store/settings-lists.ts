import type { Kysely } from 'kysely';
import { endingKeys } from './ending-keys.ts';
import { keyCountsOf, listKeysOf, type NearestKeys } from './key-lists.ts';
import { keyModelsOf, keysOfModels } from './key-models.ts';
import { memberRows, openInviteRows, projectRows } from './listed.ts';
import { oldUsageKeys } from './old-usage-keys.ts';
import type { Schema } from './schema.ts';
import { pricesOf, replacementsOf } from './set-prices.ts';
import { pageIn, readSetting, type SettingsLists } from './settings.ts';

/** What an engine does in its own words. */
export type EngineLists = Pick<SettingsLists, 'search'> & { nearestKeys: NearestKeys };

/** Lists of settings and keys. */
export function createSettingsLists(db: Kysely<Schema>, { nearestKeys, search }: EngineLists): SettingsLists {
  return {
    pricesOf: async (organizationId, model) =>
      (await pricesOf(db, organizationId, model).execute()).map((row) => readSetting('price_override', row)),
    replacementsOf: (organizationId, ids) => replacementsOf(db, organizationId, ids),
    members: (organizationId, query) => pageIn('member', memberRows(db, organizationId, query), query),
    openInvitesOf: async (organizationId, senderId) =>
      (await openInviteRows(db, organizationId, senderId).execute()).map((row) => readSetting('invite', row)),
    projects: (organizationId, query) => pageIn('project', projectRows(db, organizationId, query), query),
    keys: (organizationId, query) => listKeysOf(db, nearestKeys, organizationId, query),
    keyCounts: (organizationId, projectIds) => keyCountsOf(db, organizationId, projectIds),
    keyModels: (organizationId, query) => keyModelsOf(db, organizationId, query),
    keysOfModels: (organizationId, query) => keysOfModels(db, organizationId, query),
    endingKeys: (organizationId, query) => endingKeys(db, organizationId, query),
    oldUsageKeys: (organizationId, query) => oldUsageKeys(db, organizationId, query),
    search,
  };
}

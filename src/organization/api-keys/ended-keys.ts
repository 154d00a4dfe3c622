import type { ApiKey, KeyAccess } from '../../core/records.ts';
import type { SettingChange } from '../../core/settings.ts';
import type { Administration } from '../administration.ts';
import { notifyOfEach } from '../webhooks/notify.ts';

/** The most keys in one transaction of notifications. */
const AT_ONCE = 100;
const ACCESS: readonly KeyAccess[] = ['models', 'administration'];

/** The keys that a change ended along with something else. */
type Ending = { at: number; isEnded(key: ApiKey): boolean };

/** Notifies endpoints of each key that finished changes ended along with something else. */
export async function tellOfEndedKeys(admin: Administration, changes: readonly SettingChange[]): Promise<void> {
  const { organizationId } = admin.by;
  for (const ending of changes.flatMap(endingOf)) {
    await notifyOfEach(admin, { organizationId, type: 'api_key.deleted' }, () => pagesOf(admin, ending));
  }
}

async function* pagesOf({ settings, by }: Administration, { at, isEnded }: Ending) {
  for (const access of ACCESS) {
    let after: string | undefined;
    do {
      const query = { access, revokedAt: at, limit: AT_ONCE, after };
      const { items, hasMore } = await settings.keys(by.organizationId, query);
      yield items.filter(isEnded).map(({ id, projectId }) => ({ id, project_id: projectId }));
      after = hasMore ? items.at(-1)?.id : undefined;
    } while (after !== undefined);
  }
}

/** A key that was ended by itself is the subject of its change, and notified as such. */
function endingOf(change: SettingChange): Ending[] {
  if ('revokeKeysOfAbsent' in change) return [endingOfAbsent(change.revokeKeysOfAbsent)];
  if ('revokeKeysByGroup' in change) return [endingOfAbsent(change.revokeKeysByGroup)];
  if (!('revokeKeys' in change) || change.revokeKeys.of === 'id') return [];
  const { of, id, projectId, at } = change.revokeKeys;
  const isOf = (key: ApiKey) => ({ project: key.projectId, owner: key.owner?.id, product: key.product })[of] === id;
  return [{ at, isEnded: (key) => isOf(key) && (projectId === undefined || key.projectId === projectId) }];
}

function endingOfAbsent({ userId, projectId, at }: { userId?: string; projectId?: string; at: number }): Ending {
  const isEnded = ({ owner, projectId: own }: ApiKey) =>
    owner?.type === 'user' &&
    own !== null &&
    (userId === undefined || owner.id === userId) &&
    (projectId === undefined || own === projectId);
  return { at, isEnded };
}

import type { Setting, SettingChange, SettingKind, SettingRead } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';

/** What something is decided by. */
type ReadSettings = Pick<SettingsStore, 'find' | 'all' | 'key' | 'change'>;

/**
 * The same settings, for who decides by many of them what to change: what is changed is changed only while all that was read is still
 * so, and what was not read may change meanwhile. `isStale` tells whether a change was left undone because something was not.
 */
export function asRead<Store extends ReadSettings>(settings: Store): { settings: Store; isStale(): boolean } {
  const reads = new Map<string, SettingChange>();
  let isStale = false;
  const note = (read: Omit<SettingRead, 'found'>, found: readonly Setting<SettingKind>[]) => {
    const asRead = {
      ...read,
      found: found.map(({ id, parentId, version, createdAt }) => ({ id, parentId, version, createdAt })),
    };
    // What was read first counts: where it was read again and was another, nothing is done.
    const name = JSON.stringify(read);
    if (!reads.has(name)) reads.set(name, { asRead });
  };
  const find: ReadSettings['find'] = async (organizationId, kind, id, parentId = null) => {
    const found = await settings.find(organizationId, kind, id, parentId);
    note({ kind, parentId: parentId ?? '', id }, found === null ? [] : [found]);
    return found;
  };
  const all: ReadSettings['all'] = async (organizationId, kind, filter = {}) => {
    const found = await settings.all(organizationId, kind, filter);
    note({ kind, ...filter }, found);
    return found;
  };
  const key: ReadSettings['key'] = async (organizationId, id) => {
    const found = await settings.key(organizationId, id);
    const { version = null, revokedAt = null } = found ?? {};
    reads.set(`key ${id}`, { keyAsRead: { id, version, revokedAt } });
    return found;
  };
  const change: ReadSettings['change'] = async (organizationId, changes, audited) => {
    const outcome = await settings.change(organizationId, [...reads.values(), ...changes], audited);
    isStale ||= outcome === 'changed';
    return outcome;
  };
  return { settings: { ...settings, find, all, key, change }, isStale: () => isStale };
}

import type { Setting, SettingKind } from '../../core/settings.ts';
import type { SettingsStore } from '../../core/settings-store.ts';
import type { Administration } from '../administration.ts';

/**
 * What puts a person into a project: their own place, a group's place, or being an owner. `null` if nothing does.
 * Dependent changes name all of it as `unchanged`.
 */
export async function placeOfPerson(
  { settings, by: { organizationId } }: Pick<Administration, 'settings' | 'by'>,
  projectId: string,
  userId: string,
): Promise<readonly Setting<SettingKind>[] | null> {
  const own = await settings.find(organizationId, 'project_member', userId, projectId);
  if (own !== null) return [own];
  const member = await settings.find(organizationId, 'member', userId);
  if (member?.value.role === 'owner') return [member];
  for (const inGroup of await settings.all(organizationId, 'group_member', { id: userId })) {
    const ofGroup = await settings.find(organizationId, 'project_group', inGroup.parentId!, projectId);
    if (ofGroup !== null) return [inGroup, ofGroup];
  }
  return null;
}

/** The projects that a person was added to, directly or by a group, but not as an owner. */
export async function projectsGivenTo(
  settings: Pick<SettingsStore, 'all'>,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<string[]> {
  const groups = await settings.all(organizationId, 'group_member', { id: userId });
  const [own, ofGroups] = await Promise.all([
    settings.all(organizationId, 'project_member', { id: userId }),
    settings.all(organizationId, 'project_group', { ids: groups.map(({ parentId }) => parentId!) }),
  ]);
  return [...new Set([...own, ...ofGroups].map(({ parentId }) => parentId!))].sort();
}

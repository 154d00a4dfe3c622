import type { Setting, SettingChange, SettingKind } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import type { Administration } from './administration.ts';

/**
 * What makes a person be in a project: their own place there, or that of a group that they are in; the organization's owners are
 * in all. `null` where nothing does. What is built on it names all of it as `unchanged`.
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

/** The projects that a person was put into, themselves or by a group: of an owner not those that they are in as one. */
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

/** Ends the keys of an owner who is to be one no more, in projects that nobody has put them into. */
export async function endKeysOfOwner({ settings, by, clock }: Administration, userId: string): Promise<SettingChange> {
  const exceptIn = await projectsGivenTo(settings, { organizationId: by.organizationId, userId });
  return { revokeKeys: { of: 'owner', id: userId, exceptIn, at: clock.now() } };
}

/** People who lose a group, and the projects that they lose it in; left out: all who are in it, and all that it is in. */
export type LostGroup = { groupId: string; userIds?: readonly string[]; projectIds?: readonly string[] };

/** Ends the keys of those who were in a project by this group alone. */
export async function endKeysOf({ settings, by, clock }: Administration, lost: LostGroup): Promise<SettingChange[]> {
  const { organizationId } = by;
  const { groupId } = lost;
  const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);
  const ids = lost.userIds ?? idsOf(await settings.all(organizationId, 'group_member', { parentId: groupId }));
  const projectIds =
    lost.projectIds ??
    (await settings.all(organizationId, 'project_group', { id: groupId })).map(({ parentId }) => parentId!);
  if (ids.length === 0 || projectIds.length === 0) return [];

  const [members, own, inGroups] = await Promise.all([
    settings.all(organizationId, 'member', { ids }),
    settings.all(organizationId, 'project_member', { ids }),
    settings.all(organizationId, 'group_member', { ids }),
  ]);
  const others = inGroups.filter(({ parentId }) => parentId !== groupId);
  const ofOthers = await settings.all(organizationId, 'project_group', {
    ids: [...new Set(others.map(({ parentId }) => parentId!))],
  });
  const owners = new Set(idsOf(members.filter(({ value }) => value.role === 'owner')));
  /** Who is in which project otherwise, by one name for both: a group may have thousands in a hundred projects. */
  const stay = new Set(own.map(({ id, parentId }) => `${parentId} ${id}`));
  const projectsOf = Map.groupBy(ofOthers, ({ id }) => id);
  for (const { id, parentId } of others) {
    for (const place of projectsOf.get(parentId!) ?? []) stay.add(`${place.parentId} ${id}`);
  }
  const at = clock.now();
  return projectIds.flatMap((projectId) =>
    ids
      .filter((id) => !owners.has(id) && !stay.has(`${projectId} ${id}`))
      .map((id) => ({ revokeKeys: { of: 'owner' as const, id, projectId, at } })),
  );
}

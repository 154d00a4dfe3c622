import { GatewayError } from '../../core/errors.ts';
import type { Page, PageQuery, Project, Setting } from '../../core/settings.ts';
import { type Administration, change, changed, demandVersion, found, made, put } from '../administration.ts';

export type NewProject = { name: string; externalKeyId?: string | null; geography?: string | null };
export type ProjectEdit = Partial<Pick<Project, 'name' | 'externalKeyId' | 'geography'>>;

export async function createProject(admin: Administration, wanted: NewProject): Promise<Setting<'project'>> {
  const { name, externalKeyId = null, geography = null } = wanted;
  const project = made(admin, 'project', {
    prefix: 'proj',
    value: { name, externalKeyId, geography, archivedAt: null, isDefault: false, models: null },
  });
  await change(admin, [put(project)], {
    type: 'project.created',
    resourceId: project.id,
    project: { id: project.id, name },
    details: { data: { name, title: name } },
  });
  return project;
}

/** A project with the number of people and groups added to it, and of its keys; owners are in all projects. */
export type ProjectInFull = { id: string; project: Setting<'project'>; members: number; groups: number; keys: number };

export async function withCounts(
  { settings, by }: Administration,
  projects: readonly Setting<'project'>[],
): Promise<ProjectInFull[]> {
  const ids = projects.map(({ id }) => id);
  const [members, groups, keys] = await Promise.all([
    settings.countByParent(by.organizationId, 'project_member', ids),
    settings.countByParent(by.organizationId, 'project_group', ids),
    settings.keyCounts(by.organizationId, ids),
  ]);
  return projects.map((project) => ({
    id: project.id,
    project,
    members: members.get(project.id) ?? 0,
    groups: groups.get(project.id) ?? 0,
    keys: keys.get(project.id) ?? 0,
  }));
}

/** Those that the administrator may see. */
export function listProjects(
  { settings, by }: Administration,
  query: PageQuery & { includeArchived: boolean },
): Promise<Page<Setting<'project'>>> {
  const { includeArchived, ...page } = query;
  const ids = by.onlyProjects === undefined ? undefined : [...by.onlyProjects];
  return settings.projects(by.organizationId, { ...page, ids, areOpen: !includeArchived });
}

/** Throws `not_found`. */
export function findProject(admin: Administration, id: string): Promise<Setting<'project'>> {
  return found(admin, 'project', id);
}

/** A project that can be changed. Throws `not_found`, or `conflict` if it was archived. */
export async function openProject(admin: Administration, id: string): Promise<Setting<'project'>> {
  const project = await findProject(admin, id);
  if (project.value.archivedAt !== null)
    throw new GatewayError('conflict', 'This project was archived, which is permanent.');
  return project;
}

/** Its details in the audit log. */
export function nameOf({ id, value }: Setting<'project'>): { id: string; name: string } {
  return { id, name: value.name };
}

export async function updateProject(
  admin: Administration,
  id: string,
  edit: ProjectEdit,
  ifVersion?: number,
): Promise<Setting<'project'>> {
  const project = await openProject(admin, id);
  demandVersion(project, ifVersion);
  const next = changed(project, edit);
  await change(admin, [put(next)], {
    type: 'project.updated',
    resourceId: id,
    project: nameOf(project),
    details: { changes_requested: { ...edit, title: edit.name }, before: { name: project.value.name } },
  });
  return next;
}

/** Archives a project permanently and revokes its keys. */
export async function archiveProject(admin: Administration, id: string): Promise<Setting<'project'>> {
  const project = await openProject(admin, id);
  if (project.value.isDefault) throw new GatewayError('conflict', 'The default project cannot be archived.');
  const at = admin.clock.now();
  const next = changed(project, { archivedAt: at });
  await change(admin, [put(next), { revokeKeys: { of: 'project', id, at } }], {
    type: 'project.archived',
    resourceId: id,
    project: nameOf(project),
    details: {},
  });
  return next;
}

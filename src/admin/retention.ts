import type { Setting } from '../core/settings.ts';
import { type Administration, change, changed, made, put } from './administration.ts';
import { findProject, nameOf, openProject } from './projects.ts';

const ID = 'data_retention';

/** What is said of how long a vendor keeps calls: of a project, or of the organization (`null`). `null` where nothing was said. */
export async function findRetention(admin: Administration, projectId: string | null): Promise<string | null> {
  if (projectId !== null) await findProject(admin, projectId);
  return (await kept(admin, projectId))?.value.type ?? null;
}

function kept({ settings, by }: Administration, projectId: string | null): Promise<Setting<'data_retention'> | null> {
  return settings.find(by.organizationId, 'data_retention', ID, projectId);
}

export async function setRetention(admin: Administration, projectId: string | null, type: string): Promise<string> {
  const project = projectId === null ? null : nameOf(await openProject(admin, projectId));
  const before = await kept(admin, projectId);
  const next =
    before === null
      ? made(admin, 'data_retention', { id: ID, parentId: projectId, value: { type } })
      : changed(before, { type });
  await change(admin, [put(next)], {
    type: 'data_retention.updated',
    resourceId: projectId ?? admin.by.organizationId,
    project,
    details: { changes_requested: { retention_type: type }, before: before?.value ?? null },
  });
  return type;
}

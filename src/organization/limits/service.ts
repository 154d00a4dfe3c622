import type { Project, ProjectRateLimit, Setting } from '../../core/settings.ts';
import { type Administration, change, changed, demandVersion, made, put, UNSET } from '../administration.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';

/** The models that a project's keys may use; `null` for all. */
export type ProjectModels = Project['models'];

/** A project with its models: its version covers both. */
export function findModelPermissions(admin: Administration, projectId: string): Promise<Setting<'project'>> {
  return findProject(admin, projectId);
}

export async function setModelPermissions(
  admin: Administration,
  projectId: string,
  models: ProjectModels,
  ifVersion?: number,
): Promise<Setting<'project'>> {
  const project = await openProject(admin, projectId);
  demandVersion(project, ifVersion);
  const next = changed(project, { models });
  await change(admin, [put(next)], {
    type: models === null ? 'model_permissions.deleted' : 'model_permissions.updated',
    resourceId: projectId,
    project: nameOf(project),
    details: { changes_requested: models, before: project.value.models },
  });
  return next;
}

/** A project's limits by model; other models use those of keys and the defaults. */
export async function setRateLimits(admin: Administration, projectId: string): Promise<Setting<'rate_limit'>[]> {
  await findProject(admin, projectId);
  return admin.settings.all(admin.by.organizationId, 'rate_limit', { parentId: projectId });
}

/** The id of a model's limits in a project. */
export function rateLimitId(model: string): string {
  return `rate_limit_${model}`;
}

export async function updateRateLimit(
  admin: Administration,
  { projectId, model, ifVersion }: { projectId: string; model: string; ifVersion?: number | undefined },
  edit: Partial<Omit<ProjectRateLimit, 'model'>>,
): Promise<Setting<'rate_limit'>> {
  const project = await openProject(admin, projectId);
  const id = rateLimitId(model);
  const before = await admin.settings.find(admin.by.organizationId, 'rate_limit', id, projectId);
  demandVersion(before ?? UNSET, ifVersion);
  const none: ProjectRateLimit = { model, requestsPerMinute: null, tokensPerMinute: null, kept: {} };
  const value = { ...(before?.value ?? none), ...edit, kept: { ...before?.value.kept, ...edit.kept } };
  const next = before === null ? made(admin, 'rate_limit', { id, parentId: projectId, value }) : changed(before, value);
  await change(admin, [put(next)], {
    type: 'rate_limit.updated',
    resourceId: id,
    project: nameOf(project),
    details: { changes_requested: edit, before: before?.value ?? null },
  });
  return next;
}

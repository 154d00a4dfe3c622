import type { Setting } from '../../core/settings.ts';
import { type Administration, change, changed, demandVersion, made, put, UNSET } from '../administration.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';

const ID = 'data_retention';

/** The setting and its version; `null` and 0 if nothing was set. */
export type SaidRetention = { type: string | null; version: number };

/** The agreed retention of calls at vendors, for a project or the organization (`null`). */
export async function findRetention(admin: Administration, projectId: string | null): Promise<SaidRetention> {
  if (projectId !== null) await findProject(admin, projectId);
  const said = await kept(admin, projectId);
  return { type: said?.value.type ?? null, ...(said === null ? UNSET : { version: said.version }) };
}

function kept({ settings, by }: Administration, projectId: string | null): Promise<Setting<'data_retention'> | null> {
  return settings.find(by.organizationId, 'data_retention', ID, projectId);
}

/** Throws `conflict` if another version was expected. */
export async function setRetention(
  admin: Administration,
  projectId: string | null,
  { type, ifVersion }: { type: string; ifVersion?: number | undefined },
): Promise<number> {
  const project = projectId === null ? null : nameOf(await openProject(admin, projectId));
  const before = await kept(admin, projectId);
  demandVersion(before ?? UNSET, ifVersion);
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
  return next.version;
}

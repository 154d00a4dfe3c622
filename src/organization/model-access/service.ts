import { isPermitted, mayUse, type Names } from '../../core/access.ts';
import type { CatalogEntry } from '../../core/provider.ts';
import type { Page, PageQuery, Setting } from '../../core/settings.ts';
import type { KeyModels } from '../../core/settings-store.ts';
import type { Administration } from '../administration.ts';
import { listProjects } from '../projects/service.ts';

/** The most keys without access that are named. */
export const MAX_REFUSED_KEYS = 20;

/** A model and its name in calls. */
export type AskedModel = { entry: CatalogEntry; name: string; names: Names };

/** Whether a project and its keys may use a model. */
export type ModelAccess = {
  /** The project's id. */
  id: string;
  name: string;
  /** According to the project's models; a key may be limited further. */
  isPermitted: boolean;
  /** The number of enabled keys, and of those with access. */
  keys: number;
  permittedKeys: number;
  /** The first `MAX_REFUSED_KEYS` keys without access. Empty if the project has no access at all. */
  refusedKeys: readonly { id: string; name: string }[];
};

/** Who may call a model: a page of active projects, by the same rules as calls. */
export async function listModelAccess(
  admin: Administration,
  model: AskedModel,
  query: PageQuery,
): Promise<Page<ModelAccess>> {
  const { items, hasMore } = await listProjects(admin, { ...query, includeArchived: false });
  const now = admin.clock.now();
  const asked = { projectIds: items.map(({ id }) => id), now };
  const counted = Map.groupBy(
    await admin.settings.keyModels(admin.by.organizationId, asked),
    ({ projectId }) => projectId,
  );
  const access = items.map((project) => accessOf(admin, model, { project, keys: counted.get(project.id) ?? [], now }));
  return { items: await Promise.all(access), hasMore };
}

/** Keys with the same model lists are checked once. */
async function accessOf(
  { settings, by }: Administration,
  { entry, name, names }: AskedModel,
  { project: { id, value }, keys, now }: { project: Setting<'project'>; keys: readonly KeyModels[]; now: number },
): Promise<ModelAccess> {
  const inForce = { models: value.models };
  const permitted = isPermitted(value.models, entry, name, names);
  const refused = keys.filter(
    (kind) => !mayUse({ ...kind, access: 'models', admin: false, inForce }, entry, name, names),
  );
  const asked = { projectId: id, of: refused, now, limit: MAX_REFUSED_KEYS };
  const total = sumOf(keys);
  return {
    id,
    name: value.name,
    isPermitted: permitted,
    keys: total,
    permittedKeys: total - sumOf(refused),
    refusedKeys: permitted && refused.length > 0 ? await settings.keysOfModels(by.organizationId, asked) : [],
  };
}

function sumOf(kinds: readonly KeyModels[]): number {
  return kinds.reduce((sum, { keys }) => sum + keys, 0);
}

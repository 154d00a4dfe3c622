import { isPermitted, mayUse, type Names } from '../core/access.ts';
import type { CatalogEntry } from '../core/provider.ts';
import type { Page, PageQuery, Setting } from '../core/settings.ts';
import type { KeyModels } from '../core/settings-store.ts';
import type { Administration } from './administration.ts';
import { listProjects } from './projects.ts';

/** How many of a project's keys that may not use a model are named. */
export const MAX_REFUSED_KEYS = 20;

/** A model under the name that calls give. */
export type AskedModel = { entry: CatalogEntry; name: string; names: Names };

/** Whether a project may use a model, and which of its keys may. */
export type ModelAccess = {
  /** The project's. */
  id: string;
  name: string;
  /** By the models that the project was given; a key may still be limited to others. */
  isPermitted: boolean;
  /** Its keys that are on, and those of them that may. */
  keys: number;
  permittedKeys: number;
  /** Those that may not, the first `MAX_REFUSED_KEYS`. Of a project that may not none is named: it is all of them. */
  refusedKeys: readonly { id: string; name: string }[];
};

/** Who may call a model: a page of the projects that are in use, each as calls with its keys are judged. */
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

/** Keys that say the same of models may the same: each such kind is judged once. */
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

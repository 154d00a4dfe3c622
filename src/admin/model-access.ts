import { isPermitted, mayUse, type Names } from '../core/access.ts';
import type { CatalogEntry } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Page, PageQuery, Setting } from '../core/settings.ts';
import type { Administration } from './administration.ts';
import { listProjects } from './projects.ts';

/** How many of a project's keys that may not use a model are named. */
export const MAX_REFUSED_KEYS = 20;
const KEYS_AT_ONCE = 500;

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
  const access: ModelAccess[] = [];
  for (const project of items) access.push(await accessOf(admin, model, project));
  return { items: access, hasMore };
}

async function accessOf(
  admin: Administration,
  { entry, name, names }: AskedModel,
  { id, value: project }: Setting<'project'>,
): Promise<ModelAccess> {
  const permitted = isPermitted(project.models, entry, name, names);
  const keys = await keysThatAreOn(admin, id);
  const refused = keys.filter((key) => !mayUse({ ...key, inForce: { models: project.models } }, entry, name, names));
  return {
    id,
    name: project.name,
    isPermitted: permitted,
    keys: keys.length,
    permittedKeys: keys.length - refused.length,
    refusedKeys: permitted ? refused.slice(0, MAX_REFUSED_KEYS) : [],
  };
}

async function keysThatAreOn({ settings, by, clock }: Administration, projectId: string): Promise<ApiKey[]> {
  const now = clock.now();
  const keys: ApiKey[] = [];
  for (let after: string | undefined; ; ) {
    const page = { limit: KEYS_AT_ONCE, after, access: 'models', projectId } as const;
    const { items, hasMore } = await settings.keys(by.organizationId, page);
    keys.push(
      ...items.filter(({ disabledAt, expiresAt }) => disabledAt === null && (expiresAt === null || expiresAt > now)),
    );
    after = items.at(-1)?.id;
    if (!hasMore) return keys;
  }
}

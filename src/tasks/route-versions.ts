import { GatewayError } from '../core/errors.ts';
import type { Page, PageQuery, RouteState, Setting } from '../core/settings.ts';
import { changeableRoute, type RouteAdministration } from '../organization/routes/service.ts';
import {
  type DefinitionChange,
  diffRouteVersions,
  listRouteVersions,
  type RouteEdit,
  rollBackRoute,
  triedVersion,
  updateRoute,
} from '../organization/routes/versions.ts';
import { type DraftedRoute, draftedOf, routeAtWork, withProblems } from './routes.ts';
import type { Task } from './task.ts';

/** A version of a stored route, by id or number. */
type NamedVersion = string;

/** The versions of a stored route, oldest first, and the version in force; `null` for a route of the file. */
export type ListedVersions = { state: RouteState | null; versions: readonly Setting<'route_version'>[] };

export const listRouteVersionsTask: Task<{ id: string }, ListedVersions> = {
  name: 'routes.versions',
  async run(services, { id }) {
    const admin = await routeAtWork(services, id);
    const versions = await wholeList((page) => listRouteVersions(admin, id, page));
    const kept = await admin.settings.find(admin.by.organizationId, 'route', id);
    return { state: admin.book.isOfFile(id) ? null : (kept?.value ?? null), versions };
  },
};

/** The differences between two versions by id. `from` defaults to the version in force. */
export type VersionDiff = { from: string; to: string; changes: readonly DefinitionChange[] };

export const diffRouteVersionsTask: Task<{ id: string; to: NamedVersion; from: NamedVersion | null }, VersionDiff> = {
  name: 'routes.diff',
  async run(services, { id, to, from }) {
    const admin = await routeAtWork(services, id);
    const named = {
      to: await versionId(admin, id, to),
      from: from === null ? undefined : await versionId(admin, id, from),
    };
    return diffRouteVersions(admin, id, named);
  },
};

/** Gives a version a share of the conversations (above 0, below 1). `canary: null` ends the canary. */
export const setCanaryTask: Task<
  { id: string; canary: { version: NamedVersion; share: number } | null },
  Setting<'route'>
> = {
  name: 'routes.canary',
  async run(services, { id, canary }) {
    const admin = await routeAtWork(services, id);
    if (canary === null) return updateRoute(admin, id, { canary });
    const wanted = { versionId: await versionId(admin, id, canary.version), share: canary.share };
    return updateRoute(admin, id, { canary: wanted });
  },
};

/** Puts a version in force for all calls. `null` means the canary's version. */
export const promoteVersionTask: Task<{ id: string; version: NamedVersion | null }, Setting<'route'>> = {
  name: 'routes.promote',
  async run(services, { id, version }) {
    const admin = await routeAtWork(services, id);
    const edit: RouteEdit = { inForce: await (version === null ? canaryOf(admin, id) : versionId(admin, id, version)) };
    return updateRoute(admin, id, edit);
  },
};

async function canaryOf(admin: RouteAdministration, id: string): Promise<string> {
  const { canary } = (await changeableRoute(admin, id, undefined)).value;
  if (canary !== null) return canary.versionId;
  throw new GatewayError('conflict', `The route ${id} has no canary. Name the version to put in force.`);
}

/** Restores the previous version. */
export const rollBackRouteTask: Task<{ id: string }, Setting<'route'>> = {
  name: 'routes.roll-back',
  run: async (services, { id }) => rollBackRoute(await routeAtWork(services, id), id),
};

/** A version of a route, or the one in force (`version: null`), with the targets of its model names. */
export const draftVersionTask: Task<{ id: string; version: NamedVersion | null }, DraftedRoute> = {
  name: 'routes.draft-of-version',
  async run(services, { id, version }) {
    const admin = await routeAtWork(services, id);
    const named = version === null ? undefined : await versionId(admin, id, version);
    const { route } = await withProblems(() => triedVersion(admin, id, named));
    return draftedOf(route, await services.models(true));
  },
};

/** The id of a version. Anything that is not a number is returned as it is, and refused by the lookup. */
async function versionId({ settings, by }: RouteAdministration, id: string, named: NamedVersion): Promise<string> {
  if (!/^\d+$/.test(named)) return named;
  const versions = await settings.all(by.organizationId, 'route_version', { parentId: id });
  return versions.find(({ value }) => value.number === Number(named))?.id ?? named;
}

/** The page size of lists that commands read. */
const AT_ONCE = 100;

/** All pages of a list. */
async function wholeList<Item extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const { items: more, hasMore } = await read({ limit: AT_ONCE, after: items.at(-1)?.id });
    items.push(...more);
    if (!hasMore) return items;
  }
}

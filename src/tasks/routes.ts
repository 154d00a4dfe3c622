import { ConfigError } from '../config/problems.ts';
import { GatewayError } from '../core/errors.ts';
import type { KnownRoute, RouteDraft, RouteMember } from '../core/known-route.ts';
import type { Directory, Provider, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { KeptRoute } from '../core/route-store.ts';
import type { Setting } from '../core/settings.ts';
import {
  createRoute,
  DraftRefused,
  deleteRoute,
  type RouteAdministration,
  unservedOf,
} from '../organization/routes/service.ts';
import { addRouteVersion } from '../organization/routes/versions.ts';
import { operatorAtWork } from './administration.ts';
import { type RouteReadingParts, routeBookOf } from './route-book.ts';
import type { AskedCall, KnownModels, Task, TaskServices } from './task.ts';

/** The routes of the configuration, then those of the store. */
export const listRoutesTask: Task<null, KnownRoute[]> = {
  name: 'routes.list',
  ofNothing: (services) => knownBy(services, []),
  run: async (services) => knownBy(services, await services.storage.routes.list()),
};

function knownBy(services: RouteReadingParts, kept: readonly KeptRoute[]): KnownRoute[] {
  return routeBookOf(services, { asks: false }).known(kept);
}

/** One route with each target. `unasked`: providers that have not listed their models. */
export type ShownRoute = { known: KnownRoute; members: readonly RouteMember[]; unasked: readonly string[] };

export const showRouteTask: Task<{ id: string }, ShownRoute> = {
  name: 'routes.show',
  ofNothing: (services, { id }) => shownRoute(services, [], id),
  run: async (services, { id }) => shownRoute(services, await services.storage.routes.list(), id),
};

async function shownRoute(services: RouteReadingParts, kept: readonly KeptRoute[], id: string): Promise<ShownRoute> {
  const book = routeBookOf(services, { asks: true });
  const known = knownRoute(book.known(kept), id);
  if (known.route !== null) return { known, ...(await book.targets(known.route)) };
  return { known, members: [], unasked: [] };
}

/** The route that is served under this id, else the one that cannot be. Throws `not_found` with the known ids. */
function knownRoute(known: readonly KnownRoute[], id: string): KnownRoute {
  const found = known.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = [...new Set(known.map((each) => each.id))].join(', ');
  throw new GatewayError('not_found', `There is no route ${id}. Routes: ${ids === '' ? 'none yet' : ids}.`);
}

/** `unserved`: targets that no known provider serves. They are allowed, but usually a mistake. */
export type KeptDraft = {
  known: KnownRoute;
  version: Setting<'route_version'>;
  /** Works for a draft too, and returns the definition in force. */
  isInForce: boolean;
  unserved: readonly { model: string; detail: string }[];
};

/** `isInForce`: whether calls use it at once; the default is true. `note`: why it was made. */
export type PutDraft = RouteDraft & { note?: string | null; isInForce?: boolean };

/** Stores a new route, or a new version of a route. */
export const putRouteTask: Task<PutDraft, KeptDraft> = {
  name: 'routes.put',
  async run(services, { note = null, isInForce = true, ...draft }) {
    const admin = await routesAtWork(services);
    const { id } = draft;
    const isKept = (await admin.settings.find(admin.by.organizationId, 'route', id)) !== null;
    if (!isKept && !isInForce) {
      const message = `There is no route ${id} yet. Its first version comes into force at once.`;
      throw new GatewayError('invalid_request', message);
    }
    const { setting, route, version } = await withProblems(() =>
      isKept ? addRouteVersion(admin, { draft, note, isInForce }) : createRoute(admin, { draft, note }),
    );
    const { unserved } = await unservedOf(admin, route);
    const known = knownRoute(admin.book.known(await admin.routes.list()), id);
    return { known, version, isInForce: setting.value.inForce === version.id, unserved };
  },
};

/** A command shows all faults of a text with their lines. */
export async function withProblems<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DraftRefused ? new ConfigError(error.problems) : error;
  }
}

/** The operator's services for routes. */
export async function routesAtWork(services: TaskServices): Promise<RouteAdministration> {
  const { routes, organizations } = services.storage;
  const book = routeBookOf(services, { asks: false });
  return { ...(await operatorAtWork(services, null)), routes, organizations, book };
}

/** The operator's services for one route. Throws `not_found`. */
export async function routeAtWork(services: TaskServices, id: string): Promise<RouteAdministration> {
  const admin = await routesAtWork(services);
  knownRoute(admin.book.known(await admin.routes.list()), id);
  return admin;
}

export const removeRouteTask: Task<{ id: string }, null> = {
  name: 'routes.remove',
  async run(services, { id }) {
    await deleteRoute(await routeAtWork(services, id), id);
    return null;
  },
};

/** A route that is not in force, with the targets of its model names: enough to decide past calls. */
export type DraftedRoute = {
  route: Route;
  /** In no particular order. Providers have no keys here. */
  found: readonly { name: string; entry: VendorEntry | null; whyUnserved: string }[];
  unasked: readonly string[];
};

export const draftRouteTask: Task<RouteDraft, DraftedRoute> = {
  name: 'routes.draft',
  ofNothing: (services, draft) => draftedRoute(services, [], draft),
  run: async (services, draft) => draftedRoute(services, await services.storage.routes.list(), draft),
};

async function draftedRoute(
  services: RouteReadingParts,
  kept: readonly KeptRoute[],
  draft: RouteDraft,
): Promise<DraftedRoute> {
  const read = routeBookOf(services, { asks: false }).read(draft, kept);
  if ('problems' in read) throw new ConfigError(read.problems);
  return draftedOf(read.route, await services.models(true));
}

/** A route with the targets of its model names. */
export function draftedOf(route: Route, { directory, unasked }: KnownModels): DraftedRoute {
  const lists = [route.targets, route.fallbacks, route.contextFallbacks, route.policyFallbacks];
  const names = new Set(lists.flat().map(({ model }) => model));
  const found = [...names].map((name) => {
    const entry = directory.find(name);
    const isModel = entry?.origin === 'vendor';
    return {
      name,
      entry: isModel ? withoutKeys(entry) : null,
      whyUnserved: isModel ? '' : directory.whyUnserved(name),
    };
  });
  return { route, found, unasked };
}

function withoutKeys({ provider, accesses, ...rest }: VendorEntry): VendorEntry {
  const bare = (one: Provider): Provider => ({ ...one, credential: null, headers: {} });
  return {
    ...rest,
    provider: bare(provider),
    accesses: accesses.map((access) => ({ ...access, provider: bare(access.provider) })),
  };
}

/** Only the targets of the model names of a draft. */
export function directoryOf({ found }: DraftedRoute): Directory {
  const byName = new Map(found.map((each) => [each.name, each]));
  return {
    entries: found.flatMap(({ entry }) => entry ?? []),
    find: (name) => byName.get(name)?.entry ?? undefined,
    whyUnserved: (name) => byName.get(name)?.whyUnserved ?? '',
    nearest: () => [],
    products: new Map(),
  };
}

export const explainRouteTask: Task<AskedCall, Record<string, unknown>> = {
  name: 'routes.explain',
  run({ explain }, call) {
    if (explain === null)
      throw new GatewayError('not_found', 'No gateway serves this data. Explaining a route needs a running gateway.');
    return explain(call);
  },
};

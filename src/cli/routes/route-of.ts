import { type Api, at } from '../api.ts';
import { ApiRefusal, OperatorError, UsageError } from '../failure.ts';

/** A route as the HTTP API gives it. Times are Unix seconds. */
export type ShownRoute = {
  id: string;
  from: string;
  hides_stored: boolean;
  name: string | null;
  strategy: readonly string[];
  targets: readonly string[];
  fallbacks: readonly string[];
  problem: string | null;
  definition_version: string | null;
  version_in_force: string | null;
  version_before: string | null;
  canary: { version_id: string; share: number } | null;
  updated_at: number | null;
};

/** A version of a stored route as the HTTP API gives it. */
export type ShownVersion = {
  id: string;
  number: number;
  created_at: number;
  created_by: { type: string; id: string | null; email: string | null } | null;
  note: string | null;
  definition_version: string;
};

export const ROUTES = '/v1/organization/routes';

/** All routes by id. */
export async function listRoutes(api: Api): Promise<readonly ShownRoute[]> {
  return (await api.list<ShownRoute>(ROUTES)).data;
}

/** The path of a route in the API. */
export function pathOf(id: string): string {
  return at`/v1/organization/routes/${id}`;
}

/** Asks for a route. Throws an `OperatorError` with the known ids if there is none. */
export async function ofRoute<Answer>(api: Api, id: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 404) throw error;
    routeIn(await listRoutes(api), id);
    throw error;
  }
}

/** The route with this id. Throws an `OperatorError` with the known ids. */
function routeIn(routes: readonly ShownRoute[], id: string): ShownRoute {
  const found = routes.find((route) => route.id === id);
  if (found !== undefined) return found;
  const known = routes.map((route) => route.id).join(', ');
  throw new OperatorError(`There is no route ${id}. Routes: ${known === '' ? 'none yet' : known}.`);
}

/** The served route with this id, which uses learned models. Throws an `OperatorError` or a `UsageError`. */
export async function smartRoute(api: Api, id: string): Promise<ShownRoute> {
  const served = (await listRoutes(api)).filter(({ problem }) => problem === null);
  const route = routeIn(served, id);
  if (route.strategy.includes('smart')) return route;
  throw new UsageError(`The route ${id} has no strategy “smart”, so there is nothing to train.`);
}

/** All versions of a route, oldest first. */
export async function listVersions(api: Api, id: string): Promise<readonly ShownVersion[]> {
  return (await ofRoute(api, id, api.list<ShownVersion>(`${pathOf(id)}/versions`, { order: 'asc' }))).data;
}

/** The id of a version. Anything that is not a number is returned as it is, and refused by the API if it is unknown. */
export async function versionId(api: Api, id: string, named: string): Promise<string> {
  if (!/^\d+$/.test(named)) return named;
  return (await listVersions(api, id)).find(({ number }) => number === Number(named))?.id ?? named;
}

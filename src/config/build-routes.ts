import { type Route, SYSTEM_ROUTE } from '../core/route.ts';
import { bareModels } from './bare-models.ts';
import type { Config, ProductConfig } from './config.ts';
import type { Path, Report } from './problems.ts';
import type { ProductEntry, RouteDefinition } from './route-schema.ts';
import { buildRoute, type RouteContext } from './routes.ts';
import type { ConfigFile } from './schema.ts';

/** The routes of a configuration, and the definitions that their versions are hashes of. */
export type BuiltRoutes = {
  routes: readonly Route[];
  system: Route | null;
  definitions: ReadonlyMap<string, string>;
};

/** @param tree the file before its schema was applied: route versions are hashes of the text as written */
export function buildRoutes(
  file: ConfigFile,
  tree: unknown,
  { aliases, providers, models }: Pick<Config, 'aliases' | 'providers' | 'models'>,
  problem: Report,
): BuiltRoutes {
  const given = (tree ?? {}) as { routes?: Record<string, unknown>; system?: unknown };
  const context: RouteContext = {
    routes: [...file.routes.keys()],
    aliases,
    models: bareModels(providers, models),
    maxTargets: file.limits.max_route_targets,
  };
  const definitions = new Map<string, string>();
  const build = (id: string, entry: RouteDefinition, definition: unknown, around: Path): Route => {
    const report: Report = (path, message) => problem([...around, ...path], message);
    const read = buildRoute(id, { entry, definition }, context, report);
    definitions.set(read.route.version, read.definition);
    return read.route;
  };
  if (file.routes.has(SYSTEM_ROUTE)) {
    problem(['routes', SYSTEM_ROUTE], 'is the route for products: write it as “system” at the top of the file');
  }
  return {
    routes: [...file.routes].map(([id, entry]) => build(id, entry, given.routes?.[id], ['routes', id])),
    system: file.system == null ? null : build(SYSTEM_ROUTE, file.system, given.system, [SYSTEM_ROUTE]),
    definitions,
  };
}

export function buildProducts(entries: ReadonlyMap<string, ProductEntry>): Map<string, ProductConfig> {
  const products = [...entries].map(([id, { name = id, routes = [SYSTEM_ROUTE], budget }]): [string, ProductConfig] => [
    id,
    { name, routes, budget: budget === undefined ? null : { amount: budget.usd, per: budget.per } },
  ]);
  return new Map(products);
}

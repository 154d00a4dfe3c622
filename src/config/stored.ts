import { SYSTEM_ROUTE } from '../core/route.ts';
import { bareModels } from './bare-models.ts';
import type { Config } from './config.ts';
import { showPath } from './problems.ts';
import { type ReadRoute, type RouteContext, readRoute } from './routes.ts';

/** The ids of the configuration's routes, which take precedence over stored definitions. */
export function fileRouteIds({ routes, system }: Pick<Config, 'routes' | 'system'>): string[] {
  return [...routes.map(({ id }) => id), ...(system === null ? [] : [SYSTEM_ROUTE])];
}

/** The context for checking a stored route. `others`: ids of the other stored routes. */
export function contextOf(config: Config, others: readonly string[]): RouteContext {
  return {
    routes: [...fileRouteIds(config), ...others].filter((id) => id !== SYSTEM_ROUTE),
    aliases: config.aliases,
    models: bareModels(config.providers, config.models),
    maxTargets: config.limits.maxRouteTargets,
  };
}

/** Reads a stored definition of a route. Problems are joined into one text. */
export function readStored(
  config: Config,
  id: string,
  definition: unknown,
  others: readonly string[],
): ReadRoute | string {
  const words: string[] = [];
  const read = readRoute(id, definition, { ...contextOf(config, others), kept: definition }, (path, message) => {
    words.push([showPath(path), message].filter((part) => part !== '').join(': '));
  });
  return read ?? words.join('; ');
}

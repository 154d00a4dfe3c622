import { SYSTEM_ROUTE } from '../core/route.ts';
import { bareModels } from './bare-models.ts';
import type { Config } from './config.ts';
import { showPath } from './problems.ts';
import { type ReadRoute, type RouteContext, readRoute } from './routes.ts';

/** The ids of a configuration's own routes: no other definition holds under these. */
export function fileRouteIds({ routes, system }: Pick<Config, 'routes' | 'system'>): string[] {
  return [...routes.map(({ id }) => id), ...(system === null ? [] : [SYSTEM_ROUTE])];
}

/** What a route beside those of a configuration is held against. `others`: ids of those that are not in it. */
export function contextOf(config: Config, others: readonly string[]): RouteContext {
  return {
    routes: [...fileRouteIds(config), ...others].filter((id) => id !== SYSTEM_ROUTE),
    aliases: config.aliases,
    models: bareModels(config.providers, config.models),
    maxTargets: config.limits.maxRouteTargets,
  };
}

/** Reads a definition that was kept beside a configuration. What is wrong with it comes as words, one problem behind the other. */
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

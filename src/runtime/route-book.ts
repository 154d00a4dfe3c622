import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeDocument } from '../config/document.ts';
import { isDefinitionAlone, readDraft } from '../config/draft.ts';
import type { Environment } from '../config/interpolate.ts';
import { ConfigError, type Path } from '../config/problems.ts';
import { contextOf, fileRouteIds, readStored } from '../config/stored.ts';
import type { KnownRoute, RouteBook, RouteDraft, RouteMember, RouteReading } from '../core/known-route.ts';
import type { Directory } from '../core/provider.ts';
import { type Route, SYSTEM_ROUTE } from '../core/route.ts';
import type { KeptRoute } from '../core/route-store.ts';
import { readKept } from '../organization/routes/stored-routes.ts';
import type { KnownModels } from './drafted-route.ts';

/** What reading a route needs: a configuration, and the variables that a draft may use. */
export type RouteReadingParts = {
  config: Config;
  /** The line of a setting in the configuration file; `null` if it is not there. */
  lineOf(path: Path): number | null;
  env: Environment;
  /** @param asks - whether to ask providers for their model lists; a gateway has asked already */
  models(asks: boolean): Promise<KnownModels>;
  /** All targets that a route may use. */
  routeTargets(route: Route, directory: Directory): Promise<readonly RouteMember[]>;
};

/** @param asks - whether to ask providers for their model lists */
export function routeBookOf(parts: RouteReadingParts, { asks }: { asks: boolean }): RouteBook {
  const { config, models, routeTargets } = parts;
  return {
    file: config.file === null ? null : basename(config.file),
    isOfFile: (id) => fileRouteIds(config).includes(id),
    known: (kept) => knownRoutes(parts, kept),
    read: (draft, kept) => readingOf(parts, draft, kept),
    yamlOf: (definition) => writeDocument(JSON.parse(definition)),
    async targets(route) {
      const { directory, unasked } = await models(asks);
      return { members: await routeTargets(route, directory), unasked };
    },
  };
}

function knownRoutes({ config, lineOf }: RouteReadingParts, kept: readonly KeptRoute[]): KnownRoute[] {
  const own = [...config.routes, ...(config.system === null ? [] : [config.system])];
  const stored = kept.filter(({ from }) => from === 'store');
  const others = stored.map(({ id }) => id);
  return [
    ...own.map((route): KnownRoute => {
      const definition = config.definitions.get(route.version)!;
      const line = lineOf(placeOf(route));
      return { id: route.id, from: 'file', line, definition, route, problem: null, updatedAt: null };
    }),
    ...stored.map(({ id, definition, updatedAt }): KnownRoute => {
      const read = readKept(id, definition, (value) => storedRoute(config, id, value, others));
      const isGood = typeof read !== 'string';
      const hidden = fileRouteIds(config).includes(id) ? 'the file has a route with this id' : null;
      const problem = isGood ? hidden : read;
      return { id, from: 'store', line: null, definition, route: isGood ? read : null, problem, updatedAt };
    }),
  ];
}

function storedRoute(config: Config, id: string, value: unknown, others: readonly string[]): Route | string {
  const found = readStored(config, id, value, others);
  return typeof found === 'string' ? found : found.route;
}

/** `null` if the text is not JSON. */
function parsed(definition: string): unknown {
  try {
    return JSON.parse(definition);
  } catch {
    return null;
  }
}

function placeOf({ id }: Route): Path {
  return id === SYSTEM_ROUTE ? [SYSTEM_ROUTE] : ['routes', id];
}

function readingOf(
  { config, env }: RouteReadingParts,
  { id, text, file, isTyped, isKept = false }: RouteDraft,
  kept: readonly KeptRoute[],
): RouteReading {
  const stored = kept.filter(({ from }) => from === 'store');
  const others = stored.map((each) => each.id);
  const own = stored.filter((each) => each.id === id);
  const before = own.flatMap(({ definition, canary }) => [definition, canary?.definition ?? '']);
  const context = { ...contextOf(config, others), kept: [...before, ...(isKept ? [text] : [])].map(parsed) };
  try {
    const read = readDraft({ id, text, file: file ?? '', env, context });
    return { ...read, yaml: isTyped && isDefinitionAlone(text) ? text : null };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}

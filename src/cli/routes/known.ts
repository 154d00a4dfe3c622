import { readKept } from '../../admin/stored-routes.ts';
import type { Config } from '../../config/config.ts';
import { fileRouteIds, readStored } from '../../config/stored.ts';
import type { KeptRoute } from '../../core/ports.ts';
import type { Route } from '../../core/route.ts';
import { OperatorError } from '../failure.ts';
import { unixSeconds } from '../words.ts';

/** A route of the configuration or of the store. */
export type KnownRoute = {
  id: string;
  from: KeptRoute['from'];
  /** What a file would say of it, as JSON. */
  definition: string;
  /** `null` where the definition cannot be read; `problem` then says why. */
  route: Route | null;
  problem: string | null;
  /** Unix ms; `null` for those of the file. */
  updatedAt: number | null;
};

/** Those of the configuration in its order, then those of the store, which serve where the configuration has none of that id. */
export function knownRoutes(config: Config, kept: readonly KeptRoute[]): KnownRoute[] {
  const own = [...config.routes, ...(config.system === null ? [] : [config.system])];
  const stored = kept.filter(({ from }) => from === 'store');
  const others = stored.map(({ id }) => id);
  return [
    ...own.map((route): KnownRoute => {
      const definition = config.definitions.get(route.version)!;
      return { id: route.id, from: 'file', definition, route, problem: null, updatedAt: null };
    }),
    ...stored.map(({ id, definition, updatedAt }): KnownRoute => {
      const read = readKept(id, definition, (value) => {
        const found = readStored(config, id, value, others);
        return typeof found === 'string' ? found : found.route;
      });
      const isGood = typeof read !== 'string';
      const hidden = fileRouteIds(config).includes(id) ? 'the file has a route of this id' : null;
      const problem = isGood ? hidden : read;
      return { id, from: 'store', definition, route: isGood ? read : null, problem, updatedAt };
    }),
  ];
}

/** The one that serves under this id, else the one that cannot. Throws an `OperatorError` that names those there are. */
export function knownRoute(known: readonly KnownRoute[], id: string): KnownRoute {
  const found = known.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = [...new Set(known.map((each) => each.id))].join(', ');
  throw new OperatorError(`There is no route ${id}. There is: ${ids === '' ? 'none yet' : ids}.`);
}

/** Throws an `OperatorError` for an id that the configuration has taken. */
export function checkNotOfFile(config: Config, id: string): void {
  if (!fileRouteIds(config).includes(id)) return;
  throw new OperatorError(`${id} is a route of ${config.file}: it is changed there.`);
}

/** As programs read it. */
export function routeJson({ id, from, definition, route, problem, updatedAt }: KnownRoute): Record<string, unknown> {
  return {
    id,
    object: 'route',
    from,
    name: route?.name ?? null,
    origin: route?.origin ?? null,
    version: route?.version ?? null,
    strategy: route?.strategy.map(({ kind }) => kind) ?? null,
    targets: route?.targets.map(({ model }) => model) ?? null,
    fallbacks: route?.fallbacks.map(({ model }) => model) ?? null,
    updated_at: unixSeconds(updatedAt),
    problem,
    definition: definitionJson(definition),
  };
}

function definitionJson(definition: string): unknown {
  try {
    return JSON.parse(definition) as unknown;
  } catch {
    return null;
  }
}

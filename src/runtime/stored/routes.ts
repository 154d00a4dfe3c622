import type { Config } from '../../config/config.ts';
import { fileRouteIds, readStored } from '../../config/stored.ts';
import type { Directory } from '../../core/provider.ts';
import type { Route } from '../../core/route.ts';
import type { FileRoute } from '../../organization/routes/file-routes.ts';
import type { Beside } from '../../organization/routes/stored-routes.ts';

/** The context for reading stored routes, built once per configuration. */
export function besideOf(config: Config): Beside {
  const known = besides.get(config);
  if (known !== undefined) return known;
  const beside: Beside = {
    taken: new Set(fileRouteIds(config)),
    read(id, definition, others) {
      const read = readStored(config, id, definition, others);
      return typeof read === 'string' ? read : read.route;
    },
  };
  besides.set(config, beside);
  return beside;
}

const besides = new WeakMap<Config, Beside>();

/** The routes of a configuration, as the store keeps them. */
export function fileRoutesOf({ routes, system, definitions }: Config): FileRoute[] {
  return [...routes, ...(system === null ? [] : [system])].map(({ id, version }) => ({
    id,
    version,
    definition: definitions.get(version)!,
  }));
}

/** The smart routes. */
export function smartRoutesIn({ entries }: Directory): Route[] {
  return entries.flatMap((entry) => {
    if (entry.origin === 'vendor') return [];
    return [entry.route, entry.canary?.entry.route].find((route) => route !== undefined && route.smart !== null) ?? [];
  });
}

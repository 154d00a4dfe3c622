import type { Directory, Provider, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';

/** What can be called, as far as it is known. */
export type KnownModels = {
  directory: Directory;
  /** Providers whose model lists have not been read. */
  unasked: readonly string[];
};

/** A route that is not in force, with the targets of its model names: enough to decide past calls. */
export type DraftedRoute = {
  route: Route;
  /** In no particular order. Providers have no keys here. */
  found: readonly { name: string; entry: VendorEntry | null; whyUnserved: string }[];
};

/** A route with the targets of its model names. */
export function draftedOf(route: Route, { directory }: Pick<KnownModels, 'directory'>): DraftedRoute {
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
  return { route, found };
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

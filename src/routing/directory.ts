import type { CatalogEntry, Directory, Model, Products, RouteEntry, Served, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import { nearestNames } from './nearest.ts';
import { routeModel } from './route-model.ts';
import { UnlistedModels } from './unlisted-models.ts';

/** The provider of the operator's own products. */
const HOUSE = { id: 'headgate', label: 'Headgate' };

/** The operator's additions to the providers' models. */
export type DirectoryOptions = {
  /** From an alias to the name of a model or route, never of another alias. */
  aliases?: ReadonlyMap<string, string>;
  routes?: readonly Route[];
  products?: Products;
  /** Explains why a name is not found; without it, nothing is explained. */
  whyUnserved?: (name: string) => string;
};

/**
 * Builds the directory of callable names. A model's id alone means the first provider that has it, unless a route or an
 * alias has that name; `provider/id` means a certain provider's, unless a route or an alias has that name.
 */
export function buildDirectory(served: readonly Served[], options: DirectoryOptions = {}): Directory {
  const { aliases = new Map<string, string>(), routes = [], products = new Map(), whyUnserved = () => '' } = options;
  const aliasesOf = new Map<CatalogEntry, string[]>();
  const { qualified, bare } = vendorEntries(served, new Set(routes.map(({ id }) => id)), aliasesOf);
  const unlisted = new UnlistedModels(served, bare);
  const findModel = (name: string) => qualified.get(name) ?? bare.get(name) ?? unlisted.find(name);
  const routed = new Map<string, RouteEntry>();
  for (const route of routes) {
    const names: string[] = [];
    const entry = routeEntry(route, findModel, names);
    aliasesOf.set(entry, names);
    routed.set(route.id, entry);
  }
  const findEntry = (name: string) => routed.get(name) ?? findModel(name);
  /** The target of an alias counts as a known model, because the operator named it. */
  const stated = (found: CatalogEntry): CatalogEntry => {
    if (found.origin !== 'vendor' || found.model.known !== 'asked') return found;
    const { known: _, ...model } = found.model;
    const names: string[] = [];
    const entry: VendorEntry = { ...found, model, aliases: names };
    aliasesOf.set(entry, names);
    qualified.set(`${found.provider.id}/${model.id}`, entry);
    return entry;
  };
  const alias = new Map<string, CatalogEntry>();
  for (const [name, target] of aliases) {
    const found = findEntry(target);
    if (found === undefined) continue;
    const entry = stated(found);
    alias.set(name, entry);
    if (entry.id !== name) aliasesOf.get(entry)?.push(name);
    const hidden = bare.get(name);
    // Its id must lead to it, because keys list models by id.
    if (hidden !== undefined && hidden !== entry) hidden.id = `${hidden.provider.id}/${hidden.model.id}`;
  }
  const find = (name: string) => alias.get(name) ?? findEntry(name);
  /** Built for the first name that is not found. */
  let names: string[] | undefined;
  return {
    entries: [...qualified.values(), ...routed.values()],
    find,
    whyUnserved,
    nearest: (wanted, may) => {
      names ??= [...new Set([...alias.keys(), ...routed.keys(), ...bare.keys(), ...qualified.keys()])];
      return nearestNames(
        wanted,
        names.filter((name) => may(find(name)!, name)),
      );
    },
    products,
  };
}

/** A copy of the directory with a route added or replaced. */
export function withRoute(directory: Directory, route: Route): Directory {
  const findModel = (name: string) => {
    const found = directory.find(name);
    return found?.origin === 'vendor' ? found : undefined;
  };
  const entry = routeEntry(route, findModel, []);
  const others = directory.entries.filter(({ id }) => id !== route.id);
  return {
    ...directory,
    entries: [...others, entry],
    find: (name) => (name === route.id ? entry : directory.find(name)),
  };
}

function routeEntry(
  route: Route,
  findModel: (name: string) => VendorEntry | undefined,
  aliases: readonly string[],
): RouteEntry {
  const provider = route.brand === null ? HOUSE : { id: HOUSE.id, label: route.brand };
  const model = routeModel(route, findModel);
  const entry = { id: route.id, origin: route.origin, route, provider, model, aliases };
  if (route.canary === undefined) return entry;
  const { route: other, share } = route.canary;
  return { ...entry, canary: { entry: routeEntry(other, findModel, aliases), share } };
}

type VendorEntries = { qualified: Map<string, VendorEntry>; bare: Map<string, VendorEntry> };

/**
 * All known models. Models from vendors' lists come after those of the configuration and the catalog, so that no list
 * takes over a bare name; and a list may not add a bare name that begins with another provider's id.
 */
function vendorEntries(
  served: readonly Served[],
  taken: ReadonlySet<string>,
  aliasesOf: Map<CatalogEntry, string[]>,
): VendorEntries {
  const qualified = new Map<string, VendorEntry>();
  const bare = new Map<string, VendorEntry>();
  const ids = new Set(served.map(({ provider }) => provider.id));
  const isOfAnother = (id: string) => ids.has(id.slice(0, Math.max(0, id.indexOf('/'))));
  const stated = firstWith(served, ({ models }) => models);
  const listed = firstWith(served, ({ listed: more = [] }) => more.filter(({ id }) => !isOfAnother(id)));
  for (const each of served) {
    const { provider, models, listed: more = [], accesses = [{ provider, weight: 1 }] } = each;
    for (const model of [...models, ...more]) {
      const full = `${provider.id}/${model.id}`;
      if (qualified.has(full)) continue;
      const names: string[] = [];
      const isFirst = (stated.get(model.id) ?? listed.get(model.id)) === each;
      const id = isFirst && !taken.has(model.id) ? model.id : full;
      const entry: VendorEntry = { id, origin: 'vendor', provider, accesses, model, aliases: names };
      aliasesOf.set(entry, names);
      qualified.set(full, entry);
      if (isFirst) bare.set(model.id, entry);
    }
  }
  return { qualified, bare };
}

/** For each model id, the first provider that has it and allows it to be called without the provider's name. */
function firstWith(served: readonly Served[], modelsOf: (each: Served) => readonly Model[]): Map<string, Served> {
  const first = new Map<string, Served>();
  for (const each of served) {
    for (const { id } of modelsOf(each)) {
      if (!first.has(id) && each.keepsBare?.(id) !== false) first.set(id, each);
    }
  }
  return first;
}

import type { CatalogEntry, Directory, Model, Products, RouteEntry, Served, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import { nearestNames } from './nearest.ts';
import { routeModel } from './route-model.ts';
import { UnlistedModels } from './unlisted-models.ts';

/** Who stands as the provider of the operator's own products. */
const HOUSE = { id: 'headgate', label: 'Headgate' };

/** What the operator adds to what providers serve. */
export type Own = {
  /** Lead from a name to a model's or a route's: never to another alias. */
  aliases?: ReadonlyMap<string, string>;
  routes?: readonly Route[];
  products?: Products;
  /** Tells why a name that is not found is not; left out, nothing is told. */
  whyNot?: (name: string) => string;
};

/**
 * Makes the directory of what can be called. A model's id is bare at the first provider that has it, where no route has
 * that name, and `provider/id` at the others; both forms always find it, where no route has that name.
 */
export function buildDirectory(served: readonly Served[], own: Own = {}): Directory {
  const { aliases = new Map<string, string>(), routes = [], products = new Map(), whyNot = () => '' } = own;
  const aliasesOf = new Map<CatalogEntry, string[]>();
  const { qualified, bare } = vendorEntries(served, new Set(routes.map(({ id }) => id)), aliasesOf);
  const unlisted = new UnlistedModels(served, bare);
  const findModel = (name: string) => qualified.get(name) ?? bare.get(name) ?? unlisted.find(name);
  const routed = new Map<string, RouteEntry>();
  for (const route of routes) {
    const names: string[] = [];
    const provider = route.brand === null ? HOUSE : { id: HOUSE.id, label: route.brand };
    const model = routeModel(route, findModel);
    const entry: RouteEntry = { id: route.id, origin: route.origin, route, provider, model, aliases: names };
    aliasesOf.set(entry, names);
    routed.set(route.id, entry);
  }
  const findEntry = (name: string) => routed.get(name) ?? findModel(name);
  /** What an alias leads to is there by the operator's word, whoever else has heard of it. */
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
    aliasesOf.get(entry)?.push(name);
  }
  const find = (name: string) => alias.get(name) ?? findEntry(name);
  /** Made for the first name that is not found. */
  let names: string[] | undefined;
  return {
    entries: [...qualified.values(), ...routed.values()],
    find,
    whyNot,
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

type VendorEntries = { qualified: Map<string, VendorEntry>; bare: Map<string, VendorEntry> };

/**
 * Every model that somebody says there is. Those of vendors' lists come behind what the configuration and the catalog have,
 * so that no list moves a bare name; and a bare name that begins with a provider's own is that provider's alone to list.
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

/** By id of a model, the first that has it and lets it be called without its provider's name. */
function firstWith(served: readonly Served[], modelsOf: (each: Served) => readonly Model[]): Map<string, Served> {
  const first = new Map<string, Served>();
  for (const each of served) {
    for (const { id } of modelsOf(each)) {
      if (!first.has(id) && each.keepsBare?.(id) !== false) first.set(id, each);
    }
  }
  return first;
}

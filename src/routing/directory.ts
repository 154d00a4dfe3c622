import type { CatalogEntry, Directory, Products, RouteEntry, Served, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import { nearestNames } from './nearest.ts';
import { routeModel } from './route-model.ts';

/** Who stands as the provider of the operator's own products. */
const HOUSE = { id: 'headgate', label: 'Headgate' };

/** What the operator adds to what providers serve. */
export type Own = {
  /** Lead from a name to a model's or a route's: never to another alias. */
  aliases?: ReadonlyMap<string, string>;
  routes?: readonly Route[];
  products?: Products;
};

/**
 * Makes the directory of what can be called. A model's id is bare at the first provider that has it, where no route has
 * that name, and `provider/id` at the others; both forms always find it, where no route has that name.
 */
export function buildDirectory(served: readonly Served[], own: Own = {}): Directory {
  const { aliases = new Map<string, string>(), routes = [], products = new Map() } = own;
  const qualified = new Map<string, VendorEntry>();
  const bare = new Map<string, VendorEntry>();
  const aliasesOf = new Map<CatalogEntry, string[]>();
  const taken = new Set(routes.map(({ id }) => id));
  for (const { provider, models, keepsBare, accesses = [{ provider, weight: 1 }] } of served) {
    for (const model of models) {
      const full = `${provider.id}/${model.id}`;
      if (qualified.has(full)) continue;
      const names: string[] = [];
      const isFirst = !bare.has(model.id) && keepsBare?.(model.id) !== false;
      const id = isFirst && !taken.has(model.id) ? model.id : full;
      const entry: VendorEntry = { id, origin: 'vendor', provider, accesses, model, aliases: names };
      aliasesOf.set(entry, names);
      qualified.set(full, entry);
      if (isFirst) bare.set(model.id, entry);
    }
  }
  const findModel = (name: string) => qualified.get(name) ?? bare.get(name);
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
  const alias = new Map<string, CatalogEntry>();
  for (const [name, target] of aliases) {
    const entry = findEntry(target);
    if (entry === undefined) continue;
    alias.set(name, entry);
    aliasesOf.get(entry)?.push(name);
  }
  const find = (name: string) => alias.get(name) ?? findEntry(name);
  return {
    entries: [...qualified.values(), ...routed.values()],
    find,
    nearest: (wanted, may) => {
      const names = [...new Set([...alias.keys(), ...routed.keys(), ...bare.keys(), ...qualified.keys()])];
      return nearestNames(
        wanted,
        names.filter((name) => may(find(name)!, name)),
      );
    },
    products,
  };
}

import { isAllowed } from '../core/access.ts';
import type { CatalogEntry, Directory, Served } from '../core/provider.ts';
import { nearestNames } from './nearest.ts';

/**
 * Makes the picture of what can be called. A model's id is bare at the first provider that has it and `provider/id` at
 * the others; both forms always find it. `aliases` lead from a name to a model's: never to another alias.
 */
export function buildDirectory(served: readonly Served[], aliases: ReadonlyMap<string, string>): Directory {
  const qualified = new Map<string, CatalogEntry>();
  const bare = new Map<string, CatalogEntry>();
  const aliasesOf = new Map<CatalogEntry, string[]>();
  for (const { provider, models, keepsBare } of served) {
    for (const model of models) {
      const full = `${provider.id}/${model.id}`;
      if (qualified.has(full)) continue;
      const names: string[] = [];
      const id = bare.has(model.id) || keepsBare?.(model.id) === false ? full : model.id;
      const entry: CatalogEntry = { id, origin: 'vendor', provider, model, aliases: names };
      aliasesOf.set(entry, names);
      qualified.set(full, entry);
      if (id === model.id) bare.set(id, entry);
    }
  }
  const findModel = (name: string) => qualified.get(name) ?? bare.get(name);
  const alias = new Map<string, CatalogEntry>();
  for (const [name, target] of aliases) {
    const entry = findModel(target);
    if (entry === undefined) continue;
    alias.set(name, entry);
    aliasesOf.get(entry)?.push(name);
  }
  const find = (name: string) => alias.get(name) ?? findModel(name);
  return {
    entries: [...qualified.values()],
    find,
    nearest: (wanted, allowedModels) => {
      const names = [...new Set([...alias.keys(), ...bare.keys(), ...qualified.keys()])];
      return nearestNames(
        wanted,
        names.filter((name) => isAllowed(find(name)!, name, allowedModels)),
      );
    },
  };
}

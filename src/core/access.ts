import { identityOf, matchesTerms, termsOf } from './model-identity.ts';
import type { CatalogEntry, Directory, Target } from './provider.ts';
import type { ApiKey } from './records.ts';
import type { Project } from './settings.ts';

/** The properties of a key that decide which models it may use. */
export type Holder = Pick<ApiKey, 'allowedModels' | 'product' | 'admin' | 'access'> & {
  inForce?: { models: Project['models'] };
};

/** Resolves names of models, routes and products. */
export type Names = Pick<Directory, 'find' | 'products'>;

/** The model or route of a call, and the name that the caller sent. */
export type CalledModel = { entry: CatalogEntry; sent: string };

/**
 * True if a key may use an entry under the name that was sent. A key with a list of models may use an entry by that name,
 * the entry's id, or `provider/id`. A product's key may use what the product may call; only products may use the system
 * route. The targets of a route are not checked here: see `isBanned`.
 */
export function mayUse(key: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  const { product } = key;
  if (product !== null && !isNamed(entry, sent, names.products.get(product) ?? [])) return false;
  if (product === null && entry.origin === 'system_route') return false;
  return isListed(key, entry, sent, names);
}

/** True if a key may see an entry. Operators see the system route, which they may not call. */
export function maySee(key: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  return mayUse(key, entry, sent, names) || (key.admin && entry.origin === 'system_route');
}

/** Checks the key's own list and its project's allow or deny list. */
function isListed({ allowedModels, inForce }: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  if (!isPermitted(inForce?.models ?? null, entry, sent, names)) return false;
  return allowedModels === null || isNamed(entry, sent, allowedModels);
}

/** True if a project may use an entry under the name that was sent, whatever its keys allow. */
export function isPermitted(models: Project['models'], entry: CatalogEntry, sent: string, names: Names): boolean {
  if (models === null) return true;
  if (models.mode === 'allow_list') return isNamed(entry, sent, models.ids);
  return !isNamed(entry, sent, models.ids) && !(entry.origin === 'vendor' && isBanned(models, entry, names.find));
}

/**
 * True if a project must not use a model under any name, not even through a route. Only a deny list bans: an allow list does
 * not limit the targets that the operator gave a route.
 */
export function isBanned(
  models: Project['models'],
  { provider, model }: Pick<Target, 'provider' | 'model'>,
  find: Directory['find'],
): boolean {
  return models?.mode === 'deny_list' && matchesTerms(identityOf(provider, model), termsOf(models.ids, find));
}

/** True if one of the names means the entry. */
export function isNamed(entry: CatalogEntry, sent: string, names: readonly string[]): boolean {
  // Usually the sent name matches, so the other names are built only if it does not.
  return names.includes(sent) || namesOf({ entry, sent }).some((name) => names.includes(name));
}

/** The names of a called model: the sent name, the entry's id, and `provider/id`. */
export function namesOf({ entry, sent }: CalledModel): readonly string[] {
  const names = [sent, entry.id];
  if (entry.origin === 'vendor') names.push(`${entry.provider.id}/${entry.model.id}`);
  return names;
}

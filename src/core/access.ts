import { identityOf, isMeant, termsOf } from './model-identity.ts';
import type { CatalogEntry, Directory, Target } from './provider.ts';
import type { ApiKey } from './records.ts';
import type { Project } from './settings.ts';

/** What of a key decides which models it may use. */
export type Holder = Pick<ApiKey, 'allowedModels' | 'product' | 'admin' | 'access'> & {
  inForce?: { models: Project['models'] };
};

/** What names lead to. */
export type Names = Pick<Directory, 'find' | 'products'>;

/** The model or route that a call is for, and the name by which it asked for it. */
export type CalledModel = { entry: CatalogEntry; sent: string };

/**
 * Whether a key may use an entry under the name that was sent. A key that names its models may use an entry by that name,
 * the entry's id, or `provider/id`; a product's key may use what the product was given; the system route is for products.
 * Of a route this says nothing of its targets: see `isBanned`.
 */
export function mayUse(key: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  const { product } = key;
  if (product !== null && !isNamed(entry, sent, names.products.get(product) ?? [])) return false;
  if (product === null && entry.origin === 'system_route') return false;
  return isListed(key, entry, sent, names);
}

/** Whether a key may know of an entry: those who run the gateway see the system route, which they may not call. */
export function maySee(key: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  return mayUse(key, entry, sent, names) || (key.admin && entry.origin === 'system_route');
}

/** By its own list, and by that of its project, which names what may be used or what may not. */
function isListed({ allowedModels, inForce }: Holder, entry: CatalogEntry, sent: string, names: Names): boolean {
  if (!isPermitted(inForce?.models ?? null, entry, sent, names)) return false;
  return allowedModels === null || isNamed(entry, sent, allowedModels);
}

/** Whether a project may use an entry under the name that was sent, whatever its keys may. */
export function isPermitted(models: Project['models'], entry: CatalogEntry, sent: string, names: Names): boolean {
  if (models === null) return true;
  if (models.mode === 'allow_list') return isNamed(entry, sent, models.ids);
  return !isNamed(entry, sent, models.ids) && !(entry.origin === 'vendor' && isBanned(models, entry, names.find));
}

/**
 * Whether a project may not use a model, by whatever name it is called and whoever chose it. Only a list of what may not be
 * used bans: what routes choose among is their operator's choice.
 */
export function isBanned(
  models: Project['models'],
  { provider, model }: Pick<Target, 'provider' | 'model'>,
  find: Directory['find'],
): boolean {
  return models?.mode === 'deny_list' && isMeant(identityOf(provider, model), termsOf(models.ids, find));
}

/** Whether names mean an entry. */
export function isNamed(entry: CatalogEntry, sent: string, names: readonly string[]): boolean {
  // Mostly it is the name that was sent: no other is put together for that.
  return names.includes(sent) || namesOf({ entry, sent }).some((name) => names.includes(name));
}

/** The names that a called model goes by: the one that was sent, the entry's id, and `provider/id`. */
export function namesOf({ entry, sent }: CalledModel): readonly string[] {
  const names = [sent, entry.id];
  if (entry.origin === 'vendor') names.push(`${entry.provider.id}/${entry.model.id}`);
  return names;
}

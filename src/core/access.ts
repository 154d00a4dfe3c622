import type { CatalogEntry, Products } from './provider.ts';
import type { ApiKey } from './records.ts';
import type { Project } from './settings.ts';

/** What of a key decides which models it may use. */
export type Holder = Pick<ApiKey, 'allowedModels' | 'product' | 'admin' | 'access'> & {
  inForce?: { models: Project['models'] };
};

/** The model or route that a call is for, and the name by which it asked for it. */
export type CalledModel = { entry: CatalogEntry; sent: string };

/**
 * Whether a key may use an entry under the name that was sent. A key that names its models may use an entry by that name,
 * the entry's id, or `provider/id`; a product's key may use what the product was given; the system route is for products.
 */
export function mayUse(key: Holder, entry: CatalogEntry, sent: string, products: Products): boolean {
  if (key.product !== null) return isNamed(entry, sent, products.get(key.product) ?? []) && isListed(key, entry, sent);
  return entry.origin !== 'system_route' && isListed(key, entry, sent);
}

/** Whether a key may know of an entry: those who run the gateway see the system route, which they may not call. */
export function maySee(key: Holder, entry: CatalogEntry, sent: string, products: Products): boolean {
  return mayUse(key, entry, sent, products) || (key.admin && entry.origin === 'system_route');
}

/** By its own list, and by that of its project, which names what may be used or what may not. */
function isListed({ allowedModels, inForce }: Holder, entry: CatalogEntry, sent: string): boolean {
  if (!isPermitted(inForce?.models ?? null, entry, sent)) return false;
  return allowedModels === null || isNamed(entry, sent, allowedModels);
}

/** Whether a project may use an entry under the name that was sent, whatever its keys may. */
export function isPermitted(models: Project['models'], entry: CatalogEntry, sent: string): boolean {
  return models === null || isNamed(entry, sent, models.ids) === (models.mode === 'allow_list');
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

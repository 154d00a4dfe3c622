import type { CatalogEntry, Products } from './provider.ts';
import type { ApiKey } from './records.ts';

/** What of a key decides which models it may use. */
export type Holder = Pick<ApiKey, 'allowedModels' | 'product' | 'admin'>;

/**
 * Whether a key may use an entry under the name that was sent. A key that names its models may use an entry by that name,
 * the entry's id, or `provider/id`; a product's key may use what the product was given; the system route is for products.
 */
export function mayUse(key: Holder, entry: CatalogEntry, sent: string, products: Products): boolean {
  if (key.product !== null) return isAmong(entry, sent, products.get(key.product) ?? []) && isListed(key, entry, sent);
  return entry.origin !== 'system_route' && isListed(key, entry, sent);
}

/** Whether a key may know of an entry: those who run the gateway see the system route, which they may not call. */
export function maySee(key: Holder, entry: CatalogEntry, sent: string, products: Products): boolean {
  return mayUse(key, entry, sent, products) || (key.admin && entry.origin === 'system_route');
}

function isListed({ allowedModels }: Holder, entry: CatalogEntry, sent: string): boolean {
  return allowedModels === null || isAmong(entry, sent, allowedModels);
}

function isAmong(entry: CatalogEntry, sent: string, names: readonly string[]): boolean {
  if (names.includes(sent) || names.includes(entry.id)) return true;
  return entry.origin === 'vendor' && names.includes(`${entry.provider.id}/${entry.model.id}`);
}

import type { CatalogEntry } from './provider.ts';

/** A filter of catalog entries; case-insensitive. */
export type CatalogFilter = { provider: string | undefined; search: string | undefined };

/** `provider` is a provider's id or label; `search` may occur anywhere in an id, name or label. */
export function isWanted(entry: CatalogEntry, { provider, search }: CatalogFilter): boolean {
  const { id, model, aliases } = entry;
  const owner = [entry.provider.id, entry.provider.label];
  if (provider !== undefined && !owner.some((name) => same(name) === same(provider))) return false;
  if (search === undefined) return true;
  return [id, model.id, model.upstreamId, model.name, ...owner, ...aliases].some((word) =>
    same(word).includes(same(search)),
  );
}

function same(text: string): string {
  return text.toLowerCase();
}

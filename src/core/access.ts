import type { CatalogEntry } from './provider.ts';

/** Whether a key that names its models may use an entry under the name that was sent: by that name, the entry's id, or `provider/id`. */
export function isAllowed(entry: CatalogEntry, sent: string, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  return (
    allowed.includes(sent) || allowed.includes(entry.id) || allowed.includes(`${entry.provider.id}/${entry.model.id}`)
  );
}

import type { CatalogEntry, DialectId } from '../../core/provider.ts';

/** The alias by which an operator says which model is meant where none is named. */
const DEFAULT = 'default';
const CONVERSATIONS: readonly DialectId[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];
const SMALL = /haiku|mini|flash|small|nano/;

/**
 * The name a tool sends where none was asked for: the alias `default`, else a route of the operator's, else the newest
 * model that the tool is made for, else the newest of any. `allowed`: the only names the key may use (`null`: any).
 */
export function chooseModel(
  entries: readonly CatalogEntry[],
  prefers: readonly RegExp[],
  allowed: readonly string[] | null,
): string {
  const named = entries.find(({ aliases }) => aliases.includes(DEFAULT));
  if (named !== undefined && isAllowed(DEFAULT, allowed)) return DEFAULT;
  const candidates = newestFirst(entries.filter((entry) => converses(entry) && isAllowed(entry.id, allowed)));
  const route = candidates.find(({ origin }) => origin === 'smart_route');
  if (route !== undefined) return route.id;
  const vendors = candidates.filter((entry) => entry.origin === 'vendor' && entry.provider.transport === 'http');
  for (const pattern of prefers) {
    const found = vendors.find(({ model }) => pattern.test(model.id));
    if (found !== undefined) return found.id;
  }
  return vendors[0]?.id ?? allowed?.[0] ?? candidates[0]?.id ?? DEFAULT;
}

/** The newest small model of the same maker, for work that the large one would be wasted on; else the same. */
export function chooseSmallModel(
  entries: readonly CatalogEntry[],
  model: string,
  allowed: readonly string[] | null,
): string {
  const large = entries.find(({ id, aliases }) => id === model || aliases.includes(model));
  if (large === undefined || SMALL.test(large.id)) return model;
  const small = newestFirst(entries).find(
    (entry) =>
      converses(entry) &&
      isAllowed(entry.id, allowed) &&
      entry.provider.id === large.provider.id &&
      familyOf(entry) === familyOf(large) &&
      SMALL.test(entry.model.id),
  );
  return small?.id ?? model;
}

/** Whether a coding tool can work with it: it must take tools. */
function converses({ origin, model }: CatalogEntry): boolean {
  return (
    origin !== 'system_route' &&
    model.dialects.some((dialect) => CONVERSATIONS.includes(dialect)) &&
    model.dimensions === null &&
    model.capabilities?.tools !== false
  );
}

function isAllowed(name: string, allowed: readonly string[] | null): boolean {
  return allowed === null || allowed.includes(name);
}

/** Of one day, the one with the shorter name: what stands behind a name is mostly a larger or a special kind. */
function newestFirst(entries: readonly CatalogEntry[]): CatalogEntry[] {
  return entries.toSorted(
    (one, other) =>
      (other.model.releasedAt ?? '').localeCompare(one.model.releasedAt ?? '') || one.id.length - other.id.length,
  );
}

/** `claude` of `claude-sonnet-5`. */
function familyOf({ model }: CatalogEntry): string {
  return model.id.split('-')[0]!;
}

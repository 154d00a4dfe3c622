import { maySee } from '../../core/access.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Permission } from '../../core/permissions.ts';
import type { Caller, CallReader } from '../../core/ports.ts';
import type { CatalogEntry, Directory } from '../../core/provider.ts';
import { requestTime } from '../../core/record-id.ts';
import type { RefusedStore } from '../../core/refused-calls.ts';
import { type FoundPage, folded, KEPT_KINDS, type KeptKind, type KeptSearch, rankOf } from '../../core/search.ts';
import type { Administration } from '../administration.ts';
import { whereMay } from '../permissions.ts';
import { listProviders, type ProviderRules } from '../providers/service.ts';

/** What can be found, in the order of results. */
export const SEARCH_TYPES = ['request', 'model', 'route', 'provider', ...KEPT_KINDS] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** A result. `about` distinguishes equal names. */
export type SearchFound = {
  type: SearchType;
  id: string;
  name: string;
  about: string | null;
  project: { id: string; name: string } | null;
};

/** `words`: the search text. At most `limit` results of each type, best first. */
export type SearchQuery = { words: string; types: readonly SearchType[]; limit: number };

export type SearchParts = {
  caller: Caller;
  directory: Directory;
  providerRules: ProviderRules;
  /** Finds one call among those that the caller may read, in their turn of reports. */
  findCall(organizationId: string, id: string): ReturnType<CallReader['find']>;
  /** The same for a refused call. */
  findRefused(organizationId: string, id: string): ReturnType<RefusedStore['find']>;
};

/** The permission to find a kind. */
const PERMISSION_OF: Readonly<Record<KeptKind, Permission>> = {
  api_key: 'api.keys.read',
  admin_api_key: 'api.admin_keys.read',
  user: 'api.members.read',
  project: 'api.projects.read',
  group: 'api.groups.read',
  budget: 'api.budgets.read',
};
/** Results in some projects are shown to people who may read them only there. */
const OF_PROJECTS: readonly KeptKind[] = ['api_key', 'project'];

/** Finds words in names and ids, for each type that the administrator may read. */
export async function search(
  admin: Administration,
  query: SearchQuery,
  parts: SearchParts,
): Promise<FoundPage<SearchType, SearchFound>> {
  const has = (type: SearchType) => query.types.includes(type);
  const words = folded(query.words);
  const [request, entries, providers, kept] = await Promise.all([
    has('request') ? findRequest(admin, query.words, parts) : [],
    findEntries(admin, words, parts),
    has('provider') ? findProviders(admin, words, parts) : [],
    findKept(admin, query),
  ]);
  const pages = [
    firstOf('request', request, query),
    ...(['model', 'route'] as const).filter(has).map((type) => firstOf(type, entries[type], query)),
    firstOf('provider', providers, query),
    kept,
  ];
  return { items: pages.flatMap(({ items }) => items), more: pages.flatMap(({ more }) => more) };
}

type RankedFound = { rank: number; found: SearchFound };

function firstOf(
  type: SearchType,
  all: readonly RankedFound[],
  { limit }: SearchQuery,
): FoundPage<SearchType, SearchFound> {
  const best = all.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.found.name.length - other.found.name.length ||
      (one.found.name < other.found.name ? -1 : 1),
  );
  return { items: best.slice(0, limit).map(({ found }) => found), more: all.length > limit ? [type] : [] };
}

async function findKept({ by, settings }: Administration, { words, types, limit }: SearchQuery) {
  const kinds: KeptSearch['kinds'][number][] = [];
  for (const kind of KEPT_KINDS.filter((each) => types.includes(each))) {
    const permission = PERMISSION_OF[kind];
    const everywhere = by.permissions.has(permission) ? {} : null;
    const where = OF_PROJECTS.includes(kind) ? await whereMay(by, permission) : everywhere;
    if (where !== null) kinds.push({ kind, ...where });
  }
  if (kinds.length === 0) return { items: [], more: [] };
  const { items, more } = await settings.search(by.organizationId, { words, kinds, limit });
  return { items: items.map(({ kind: type, ...rest }) => ({ type, ...rest })), more };
}

/** Entries of a catalog with normalized names. */
type FoldedEntry = { entry: CatalogEntry; names: readonly string[] };
const foldedEntries = new WeakMap<readonly CatalogEntry[], readonly FoldedEntry[]>();

function foldedOf({ entries }: Directory): readonly FoldedEntry[] {
  const known = foldedEntries.get(entries);
  if (known !== undefined) return known;
  const made = entries.map((entry) => ({
    entry,
    names: [entry.id, entry.model.name, ...entry.aliases].map(folded),
  }));
  foldedEntries.set(entries, made);
  return made;
}

/** Models and routes, as in the catalog. */
async function findEntries({ by }: Administration, words: string, { caller: { key }, directory }: SearchParts) {
  const found: Record<'model' | 'route', RankedFound[]> = { model: [], route: [] };
  if ((await whereMay(by, 'api.projects.read')) === null) return found;
  for (const { entry, names } of foldedOf(directory)) {
    const rank = rankOf(words, names, []);
    if (rank === null || !maySee(key, entry, entry.id, directory)) continue;
    const { id, model, provider } = entry;
    const type = entry.origin === 'vendor' ? 'model' : 'route';
    const about = type === 'model' ? provider.label : model.name;
    found[type].push({ rank, found: { type, id, name: id, about, project: null } });
  }
  return found;
}

/** Providers belong to the gateway: only people who may list them find them. */
async function findProviders(
  admin: Administration,
  words: string,
  { providerRules }: SearchParts,
): Promise<RankedFound[]> {
  if (!admin.by.permissions.has('api.providers.read')) return [];
  const all = await listProviders(admin, providerRules).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === 'forbidden') return [];
    throw error;
  });
  return all.flatMap(({ id, label }) => {
    const rank = rankOf(words, [folded(id), folded(label)], []);
    return rank === null
      ? []
      : [{ rank, found: { type: 'provider' as const, id, name: id, about: label, project: null } }];
  });
}

/**
 * A call by its complete id or its request's. Ids without a time are not searched, because all calls would have to be
 * read.
 */
async function findRequest({ by }: Administration, words: string, parts: SearchParts): Promise<RankedFound[]> {
  const isId = /^(?:usage|refused)_[0-9A-Z]+$/.test(words) || requestTime(words) !== null;
  if (!isId || !by.permissions.has('api.usage.read')) return [];
  const call = (await parts.findCall(by.organizationId, words)) ?? (await parts.findRefused(by.organizationId, words));
  if (call === null) return [];
  const { id, requestId, model } = call.record;
  return [{ rank: 0, found: { type: 'request', id, name: requestId, about: model, project: null } }];
}

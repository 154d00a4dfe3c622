import type { Tool, WebSearch } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';
import type { SearchOption, SearchRow } from '../core/quirks.ts';
import { isSet } from './members.ts';

/** Web searches by the vendor. Each format, and some vendors, request them in a form of their own. */

/** A search as a tool of its own format. */
export type SearchTool = Extract<Tool, { kind: 'native' }> & { search: WebSearch };

/** The search that a tool choice names; `null` if there is none, or a function has that name. */
export function searchNamed(tools: readonly Tool[], name: string): SearchTool | null {
  if (tools.some((tool) => tool.kind !== 'native' && tool.name === name)) return null;
  return tools.find((tool): tool is SearchTool => tool.kind === 'native' && tool.search?.name === name) ?? null;
}

/** A search as a row writes it: a tool, or members of the body. */
export type WrittenSearch = { tools: readonly object[]; members: Readonly<Record<string, unknown>> };

const NOT_WRITTEN: WrittenSearch = { tools: [], members: {} };

/**
 * Writes a search in its vendor's form. An unsupported search is reported as a tool, an unsupported option by its name
 * after the tool's.
 */
export function writeSearch(
  tool: SearchTool,
  row: SearchRow | undefined,
  model: string,
  losses: Losses,
): WrittenSearch {
  const { search, type } = tool;
  // Pages that were fetched before are all that may be read: only the vendor of the caller's format has such.
  if (row === undefined || row.models?.test(model) === false || search.cachedOnly === true) {
    losses.addTool(type);
    return NOT_WRITTEN;
  }
  const allowed = allowedOf(search);
  if (allowed?.length === 0) {
    losses.addTool(type);
    return NOT_WRITTEN;
  }
  tellUnread(tool, losses);
  const members: Record<string, unknown> = {};
  const base = structuredClone(row.tool ?? row.member?.value ?? {}) as Record<string, unknown>;
  for (const [option, value] of optionsOf({ ...search, ...(allowed && { allowedDomains: allowed }) })) {
    const place = isSecondList(option, search, row) ? undefined : row.options[option];
    const isTooLong = Array.isArray(value) && value.length > (row.mostDomains ?? Number.POSITIVE_INFINITY);
    if (place === undefined || isTooLong) losses.addTool(`${type}.${option}`);
    if (place === undefined) continue;
    if (option === 'max_uses') members[place] = value;
    else if (option === 'user_location') put(base, place.split('.'), located(value, row));
    else put(base, place.split('.'), isTooLong ? value.slice(0, row.mostDomains) : value);
  }
  if (row.tool !== undefined) return { tools: [base], members };
  const { name, value } = row.member!;
  return { tools: [], members: { ...members, [name]: typeof value === 'object' ? base : value } };
}

/** Reports the options that only the caller's format has. A cache mark is reported like those of other tools. */
function tellUnread({ type, search }: SearchTool, losses: Losses): void {
  for (const name of search.omitted ?? []) {
    if (name === 'cache_control') losses.add(name);
    else losses.addTool(`${type}.${name}`);
  }
}

/**
 * The allowed domains without those that are also blocked, which no vendor may search; `undefined` if all domains are
 * allowed.
 */
function allowedOf({ allowedDomains, blockedDomains = [] }: WebSearch): readonly string[] | undefined {
  return allowedDomains?.filter((domain) => !blockedDomains.some((blocked) => isWithin(domain, blocked)));
}

/** Whether a domain, with or without a path, is the other, part of it, or a subdomain. */
function isWithin(domain: string, other: string): boolean {
  const [[host, path], [outerHost, outerPath]] = [hostAndPath(domain), hostAndPath(other)];
  if (host !== outerHost && !host.endsWith(`.${outerHost}`)) return false;
  return path === outerPath || path.startsWith(`${outerPath}/`);
}

function hostAndPath(domain: string): [host: string, path: string] {
  const plain = domain
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:\*\.)?/, '');
  const end = plain.indexOf('/');
  return end < 0 ? [plain, ''] : [plain.slice(0, end), plain.slice(end).replace(/\/$/, '')];
}

/**
 * Whether the blocked domains are dropped, at a vendor with one list: the allowed domains already exclude all others.
 */
function isSecondList(option: SearchOption, search: WebSearch, row: SearchRow): boolean {
  return option === 'blocked_domains' && row.oneDomainList === true && search.allowedDomains !== undefined;
}

function optionsOf({ maxUses, allowedDomains, blockedDomains, location, contextSize }: WebSearch) {
  const options: readonly (readonly [SearchOption, unknown])[] = [
    ['max_uses', maxUses],
    ['allowed_domains', allowedDomains],
    ['blocked_domains', blockedDomains],
    ['user_location', location],
    ['search_context_size', contextSize],
  ];
  return options.filter(([, value]) => value !== undefined);
}

function located(location: unknown, { nestsLocation }: SearchRow): object {
  return { type: 'approximate', ...(nestsLocation === true ? { approximate: location } : (location as object)) };
}

function put(base: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) base[name] = value;
  else {
    base[name] ??= {};
    put(base[name] as Record<string, unknown>, rest, value);
  }
}

type SearchMembers = Readonly<Record<string, unknown>>;

/** Members of a search that are not options, or that hold its options. */
const NO_OPTIONS: ReadonlySet<string> = new Set([
  ...['type', 'name', 'id', 'enabled', 'enable', 'filters', 'parameters', 'web_search'],
  ...['external_web_access', 'include_domains', 'exclude_domains'],
]);

/**
 * Reads the options of a search by the names that formats share. `omitted` has other options that are set, or that have
 * a wrong type.
 */
export function readSearch(name: string, wire: SearchMembers, domains: SearchMembers): WebSearch {
  const { max_uses: maxUses, search_context_size: contextSize } = wire;
  const blocked = listOf(domains.blocked_domains) ?? listOf(domains.excluded_domains);
  const allowed = listOf(domains.allowed_domains);
  const location = locationOf(wire.user_location);
  const read = new Set<string>([
    ...(typeof maxUses === 'number' ? ['max_uses'] : []),
    ...(typeof contextSize === 'string' ? ['search_context_size'] : []),
    ...(allowed === null ? [] : ['allowed_domains']),
    ...(blocked === null ? [] : ['blocked_domains', 'excluded_domains']),
    ...(isPlace(wire.user_location) ? ['user_location'] : []),
  ]);
  const omitted = Object.entries({ ...wire, ...domains }).flatMap(([option, value]) =>
    NO_OPTIONS.has(option) || read.has(option) || !isSet(value) ? [] : [option],
  );
  return {
    name,
    ...(omitted.length > 0 && { omitted }),
    ...(typeof maxUses === 'number' && { maxUses }),
    ...(allowed !== null && { allowedDomains: allowed }),
    ...(blocked !== null && { blockedDomains: blocked }),
    ...(location !== null && { location }),
    ...(typeof contextSize === 'string' && { contextSize }),
    ...(wire.external_web_access === false && { cachedOnly: true }),
  };
}

function listOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every((each) => typeof each === 'string') ? value : null;
}

const PLACES = ['city', 'country', 'region', 'timezone'];

/** Whether everything in a location can be read. */
function isPlace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, approximate, ...place } = value as SearchMembers;
  if (type !== undefined && type !== 'approximate') return false;
  if (approximate !== undefined) return isPlace(approximate);
  return Object.entries(place).every(
    ([name, each]) => !isSet(each) || (PLACES.includes(name) && typeof each === 'string'),
  );
}

function locationOf(value: unknown): Record<string, string> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { approximate } = value as SearchMembers;
  const place = (typeof approximate === 'object' && approximate !== null ? approximate : value) as SearchMembers;
  const found = PLACES.flatMap((name) => (typeof place[name] === 'string' ? [[name, place[name]] as const] : []));
  return found.length === 0 ? null : Object.fromEntries(found);
}

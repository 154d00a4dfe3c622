import { MODEL_NAME } from '../../core/model-name.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { Directory } from '../../core/provider.ts';
import { SYSTEM_ROUTE } from '../../core/route.ts';
import type { RouteStore } from '../../core/route-store.ts';
import type { Setting } from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  invalid,
  made,
  noSuch,
  put,
  removed,
} from '../administration.ts';
import { demandCapacity, type SetIn, setInText, storedSetting } from '../beside-file.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { byId } from '../pages.ts';

/** The most aliases beside those of the file. */
export const MAX_ALIASES = 1_000;

/** An alias of the configuration file. */
export type FileAlias = { id: string; target: string; place: SetIn };

/** What managing aliases needs. */
export type AliasRules = {
  organizations: Pick<OrganizationStore, 'list'>;
  routes: Pick<RouteStore, 'list'>;
  aliasesOfFile(): readonly FileAlias[];
  /** The place of a route in the file; `null` if it has none with this name. */
  routeOfFile(name: string): SetIn | null;
  directory(): Promise<Pick<Directory, 'find' | 'entries'>>;
};

/** An alias of the file or of the settings. */
export type KnownAlias = {
  id: string;
  target: string;
  /** The model or route that it leads to now; `null` if there is none. */
  leadsTo: string | null;
  /** Why it is not in force; `null` if it is. */
  off: string | null;
  setting: Setting<'alias'> | null;
  place: SetIn | null;
};

/** All aliases by id. Those of the file hide others. */
export async function listAliases(admin: Administration, rules: AliasRules): Promise<KnownAlias[]> {
  await demandFirstOrganization({ ...rules, ...admin });
  const { find } = await rules.directory();
  return aliasesOf(rules, await admin.settings.all(admin.by.organizationId, 'alias'), find);
}

/** The aliases of the file and the given settings, by id. */
export function aliasesOf(
  rules: Pick<AliasRules, 'aliasesOfFile' | 'routeOfFile'>,
  stored: readonly Setting<'alias'>[],
  find: Directory['find'],
): KnownAlias[] {
  const ofFile = new Map(rules.aliasesOfFile().map((each) => [each.id, each]));
  const targets = new Map([...stored.map(targetOf), ...[...ofFile].map(([id, { target }]) => [id, target] as const)]);
  const ledTo = (id: string) => find(endOf(targets, id) ?? '')?.id ?? null;
  const known = stored.map((setting): KnownAlias => {
    const { id, value } = setting;
    const hidden = ofFile.get(id);
    const route = rules.routeOfFile(id);
    const off = hidden !== undefined ? setIn(hidden) : route !== null ? routeIn(route) : null;
    return { id, target: value.target, leadsTo: off === null ? ledTo(id) : null, off, setting, place: null };
  });
  const written = [...ofFile.values()].map((each) => ({ ...each, leadsTo: ledTo(each.id), off: null, setting: null }));
  return [...written, ...known].sort(byId);
}

/** Throws `not_found`. */
export async function findAlias(admin: Administration, rules: AliasRules, id: string): Promise<KnownAlias> {
  return (await listAliases(admin, rules)).find((each) => each.id === id) ?? noSuch('alias');
}

/** Points a name to a model, a route or another alias. Throws `invalid_request` with the field at fault. */
export async function createAlias(
  admin: Administration,
  rules: AliasRules,
  { id, target }: { id: string; target: string },
): Promise<void> {
  const all = await listAliases(admin, rules);
  const fault = `exceeds the limit of ${MAX_ALIASES} aliases`;
  await demandCapacity(admin, 'alias', { most: MAX_ALIASES, param: 'id', fault });
  await demandFree(rules, id, all);
  demandTarget(id, target, all);
  const alias = made(admin, 'alias', { id, value: { target, updatedAt: admin.clock.now() } });
  await change(admin, [put(alias, MAX_ALIASES)], {
    type: 'alias.created',
    resourceId: id,
    details: { data: { target } },
  });
}

/** Throws as `createAlias` does, and `conflict` if another version was expected. */
export async function updateAlias(
  admin: Administration,
  rules: AliasRules,
  { id, target, ifVersion }: { id: string; target: string; ifVersion?: number | undefined },
): Promise<void> {
  const setting = await storedAlias(admin, rules, id);
  demandVersion(setting, ifVersion);
  demandTarget(id, target, await listAliases(admin, rules));
  await change(admin, [put(changed(setting, { target, updatedAt: admin.clock.now() }))], {
    type: 'alias.updated',
    resourceId: id,
    details: { changes_requested: { target }, before: { target: setting.value.target } },
  });
}

export async function deleteAlias(admin: Administration, rules: AliasRules, id: string): Promise<void> {
  const setting = await storedAlias(admin, rules, id);
  const before = { target: setting.value.target };
  await change(admin, [removed(setting)], { type: 'alias.deleted', resourceId: id, details: { before } });
}

/** The final target of an alias, through others; `null` for a cycle, which two simultaneous requests can create. */
export function endOf(targets: ReadonlyMap<string, string>, id: string): string | null {
  const way = new Set<string>([id]);
  let next = targets.get(id);
  let last = id;
  while (next !== undefined) {
    if (way.has(next)) return null;
    way.add(next);
    last = next;
    next = targets.get(next);
  }
  return last;
}

function targetOf({ id, value }: Setting<'alias'>): [string, string] {
  return [id, value.target];
}

/** Throws as `storedSetting` does. */
async function storedAlias(admin: Administration, rules: AliasRules, id: string): Promise<Setting<'alias'>> {
  const inFile = rules.aliasesOfFile().find((each) => each.id === id);
  return storedSetting(admin, rules, 'alias', { id, inFile: inFile && setIn(inFile) });
}

/** Throws `invalid_request` if the name is used otherwise. */
async function demandFree(rules: AliasRules, id: string, all: readonly KnownAlias[]): Promise<void> {
  if (!MODEL_NAME.test(id)) throw invalid('id', 'must be a name of 1 to 256 characters of ASCII, without spaces and *');
  if (id === SYSTEM_ROUTE) throw invalid('id', 'is the name of the system route');
  const taken = all.find((each) => each.id === id);
  if (taken?.place != null) throw invalid('id', `is taken: ${setIn({ ...taken, place: taken.place })}`);
  if (taken !== undefined) throw invalid('id', 'is taken by another alias');
  const ofFile = rules.routeOfFile(id);
  if (ofFile !== null) throw invalid('id', `is taken: ${routeIn(ofFile)}`);
  if ((await rules.routes.list()).some((route) => route.id === id)) throw invalid('id', 'is the name of a route');
  const { find, entries } = await rules.directory();
  if (find(id) !== undefined) throw invalid('id', 'is the name of a model');
  // A route must name models, so an alias with this name would make it invalid.
  const naming = entries.find((entry) => entry.origin !== 'vendor' && isTarget(entry.route, id));
  if (naming !== undefined) throw invalid('id', `is a model name in the route ${naming.id}`);
}

type Targets = Readonly<
  Record<'targets' | 'fallbacks' | 'contextFallbacks' | 'policyFallbacks', readonly { model: string }[]>
>;

function isTarget({ targets, fallbacks, contextFallbacks, policyFallbacks }: Targets, name: string): boolean {
  return [...targets, ...fallbacks, ...contextFallbacks, ...policyFallbacks].some(({ model }) => model === name);
}

/** A missing target may exist a moment later, but a cycle never resolves. */
function demandTarget(id: string, target: string, all: readonly KnownAlias[]): void {
  if (!MODEL_NAME.test(target))
    throw invalid('target', 'must be a name of 1 to 256 characters of ASCII, without spaces and *');
  const targets = new Map(all.map((each) => [each.id, each.target]));
  targets.set(id, target);
  if (endOf(targets, id) === null) throw invalid('target', `forms a cycle with ${id}`);
}

function setIn({ place }: FileAlias): string {
  return setInText('an alias of this name', place);
}

function routeIn(place: SetIn): string {
  return setInText('a route of this name', place);
}

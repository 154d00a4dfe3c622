import { GatewayError } from '../../core/errors.ts';
import type { DraftProblem, KnownRoute, ReadableDraft, RouteBook, RouteDraft } from '../../core/known-route.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { Route } from '../../core/route.ts';
import type { RouteStore } from '../../core/route-store.ts';
import type { RouteState, Setting, SettingChange } from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  invalid,
  made,
  noSuch,
  put,
  removed,
} from '../administration.ts';
import { demandFirstOrganization } from '../organizations.ts';

/** The most stored routes, and versions of one; beyond that, the oldest unused version is deleted. */
const MAX_STORED_ROUTES = 1_000;
export const MAX_ROUTE_VERSIONS = 200;
/** The longest definition as canonical JSON, in characters. */
export const MAX_DEFINITION = 64 * 1024;

/** The services of an administrator for routes, which belong to the gateway and so to its first organization. */
export type RouteAdministration = Administration & {
  routes: Pick<RouteStore, 'list'>;
  organizations: Pick<OrganizationStore, 'list'>;
  book: RouteBook;
};

/** A refused draft with all its faults. */
export class DraftRefused extends GatewayError {
  readonly problems: readonly DraftProblem[];

  constructor({ isTyped }: RouteDraft, problems: readonly DraftProblem[]) {
    const { path, line, message } = problems[0]!;
    const more = problems.length > 1 ? ` There are more problems: ${problems.length - 1}.` : '';
    const inDefinition = path === '' ? 'definition' : `definition.${path}`;
    const place = isTyped ? `\`yaml\`, line ${line}${path === '' ? '' : `: \`${path}\``}` : `\`${inDefinition}\``;
    super('invalid_request', `${place} ${message}.${more}`, { param: isTyped ? 'yaml' : inDefinition });
    this.problems = problems;
  }
}

/** A route and its administration; `null` for routes of the file. */
export type AdministeredRoute = {
  id: string;
  known: KnownRoute;
  setting: Setting<'route'> | null;
  /** A stored route with the same id, which the file's route hides. */
  hidesStored: boolean;
};

/** All routes by id. */
export async function listRoutes(admin: RouteAdministration): Promise<AdministeredRoute[]> {
  await demandFirstOrganization(admin);
  const { settings, by, book, routes } = admin;
  const kept = new Map((await settings.all(by.organizationId, 'route')).map((each) => [each.id, each]));
  const known = book.known(await routes.list());
  return known
    .filter(({ id, from }) => from === 'file' || !book.isOfFile(id))
    .map((each) => administered(each, kept.get(each.id) ?? null));
}

/** Throws `not_found`. */
export async function findRoute(admin: RouteAdministration, id: string): Promise<AdministeredRoute> {
  await demandFirstOrganization(admin);
  const { settings, by, book, routes } = admin;
  // The file's route comes first and hides the stored one.
  const known = book.known(await routes.list()).find((each) => each.id === id) ?? noSuch('route');
  return administered(known, await settings.find(by.organizationId, 'route', id));
}

function administered(known: KnownRoute, stored: Setting<'route'> | null): AdministeredRoute {
  const isOfFile = known.from === 'file';
  return { id: known.id, known, setting: isOfFile ? null : stored, hidesStored: isOfFile && stored !== null };
}

/**
 * Targets that no known provider serves, which are allowed but usually a mistake; and providers that have not listed
 * their models.
 */
export type Unserved = { unserved: readonly { model: string; detail: string }[]; unasked: readonly string[] };

/** The faults of a draft, and targets that nobody serves. Nothing is stored. */
export async function checkDraft(
  admin: RouteAdministration,
  draft: RouteDraft,
): Promise<{ route: Route | null; definition: string | null; problems: readonly DraftProblem[] } & Unserved> {
  await demandFirstOrganization(admin);
  const read = admin.book.read(draft, await admin.routes.list());
  if ('problems' in read) return { route: null, definition: null, problems: read.problems, unserved: [], unasked: [] };
  const { route, definition } = read;
  return { route, definition, problems: [], ...(await unservedOf(admin, route)) };
}

/** If a provider has not listed its models, none counts as missing. */
export async function unservedOf({ book }: Pick<RouteAdministration, 'book'>, route: Route): Promise<Unserved> {
  const { members, unasked } = await book.targets(route);
  const missing = members.flatMap(({ model, missing: why }) => (why === null ? [] : [{ model, detail: why.detail }]));
  return { unserved: unasked.length > 0 ? [] : missing, unasked };
}

/** A valid draft. Throws a `DraftRefused`. */
export async function readableDraft(admin: RouteAdministration, draft: RouteDraft): Promise<ReadableDraft> {
  await demandFirstOrganization(admin);
  const read = admin.book.read(draft, await admin.routes.list());
  if ('problems' in read) throw new DraftRefused(draft, read.problems);
  if (read.definition.length > MAX_DEFINITION)
    throw invalid('definition', `must be smaller than ${MAX_DEFINITION / 1024} KB`);
  return read;
}

/** The content of a version: a draft and a note. */
export type NewVersion = { draft: RouteDraft; note?: string | null };

/** A created or changed route, and the version of the change. */
export type RouteChanged = { setting: Setting<'route'>; version: Setting<'route_version'>; route: Route };

/** Stores a route and puts it in force. Throws `conflict` if the id exists. */
export async function createRoute(admin: RouteAdministration, wanted: NewVersion): Promise<RouteChanged> {
  await demandFirstOrganization(admin);
  const { id } = wanted.draft;
  // The path for checks of drafts has this name.
  if (id === 'validate') throw invalid('id', 'is reserved');
  demandNotOfFile(admin, id);
  const read = await readableDraft(admin, wanted.draft);
  const { route, definition } = read;
  const all = await admin.settings.all(admin.by.organizationId, 'route');
  if (all.some((each) => each.id === id))
    throw new GatewayError('conflict', `The route ${id} already exists. Add a version to it.`, { param: 'id' });
  if (all.length >= MAX_STORED_ROUTES) throw invalid('id', `exceeds the limit of ${MAX_STORED_ROUTES} stored routes`);
  const version = newVersion(admin, wanted, read, 1);
  const value = { inForce: version.id, before: null, canary: null, updatedAt: admin.clock.now() };
  const setting = made(admin, 'route', { id, value });
  await change(admin, [put(setting), put(version), inForce(setting, [version])], {
    type: 'route.created',
    resourceId: id,
    details: { data: { definition: JSON.parse(definition), version_id: version.id } },
  });
  return { setting, version, route };
}

/** A version that is not stored yet. */
export function newVersion(
  admin: Administration,
  { draft, note = null }: NewVersion,
  { route, definition, yaml }: ReadableDraft,
  number: number,
): Setting<'route_version'> {
  return made(admin, 'route_version', {
    prefix: 'rtv',
    parentId: draft.id,
    value: { number, version: route.version, definition, yaml, note, by: admin.by.actor },
  });
}

/** Makes calls use a route's versions as it says. */
export function inForce({ id, value }: Setting<'route'>, versions: readonly Setting<'route_version'>[]): SettingChange {
  const of = (versionId: string) => versions.find((each) => each.id === versionId)!.value;
  const { definition, version } = of(value.inForce);
  const canary = value.canary === null ? null : { ...of(value.canary.versionId), share: value.canary.share };
  return {
    putRoute: {
      ...{ id, definition, version, from: 'store' as const, updatedAt: value.updatedAt },
      ...(canary !== null && { canary: { definition: canary.definition, share: canary.share } }),
      canaryVersion: canary?.version ?? null,
    },
  };
}

/** A stored route to change. Throws `not_found`, `conflict` for another version, and for one of the file. */
export async function changeableRoute(
  admin: RouteAdministration,
  id: string,
  ifVersion: number | undefined,
): Promise<Setting<'route'>> {
  await demandFirstOrganization(admin);
  demandNotOfFile(admin, id);
  const setting = await found(admin, 'route', id);
  demandVersion(setting, ifVersion);
  return setting;
}

/** The route with other versions in force. */
export function nextState(
  admin: Administration,
  setting: Setting<'route'>,
  value: Partial<RouteState>,
): Setting<'route'> {
  return changed(setting, { ...value, updatedAt: admin.clock.now() });
}

/** Removes a route from the store with all versions. */
export async function deleteRoute(admin: RouteAdministration, id: string, ifVersion?: number): Promise<void> {
  await demandFirstOrganization(admin);
  const setting = await admin.settings.find(admin.by.organizationId, 'route', id);
  // A route that the file hides can be removed too.
  if (setting === null) demandNotOfFile(admin, id);
  if (setting === null) return noSuch('route');
  demandVersion(setting, ifVersion);
  const versions = await admin.settings.all(admin.by.organizationId, 'route_version', { parentId: id });
  const last = versions.find((each) => each.id === setting.value.inForce);
  // One by one, because a prefix of `acme/fast` would also match ids below `acme`.
  await change(admin, [removed(setting), ...versions.map(removed), { removeRoute: { id } }], {
    type: 'route.deleted',
    resourceId: id,
    details: { before: { definition: last === undefined ? null : JSON.parse(last.value.definition) } },
  });
}

/** Throws `invalid_request` if the configuration uses the id. */
function demandNotOfFile({ book }: RouteAdministration, id: string): void {
  if (!book.isOfFile(id)) return;
  throw new GatewayError('invalid_request', `${id} is a route of ${book.file} and can be changed only there.`, {
    param: 'id',
  });
}

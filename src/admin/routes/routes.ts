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

/** Routes that are stored, and versions that are kept of one: of more, the oldest that no calls go by is forgotten. */
const MAX_STORED_ROUTES = 1_000;
export const MAX_ROUTE_VERSIONS = 200;
/** Characters of a definition as canonical JSON. */
export const MAX_DEFINITION = 64 * 1024;

/** An administrator at work on routes. They are the gateway's own: its first organization alone has them. */
export type RouteAdministration = Administration & {
  routes: Pick<RouteStore, 'list'>;
  organizations: Pick<OrganizationStore, 'list'>;
  book: RouteBook;
};

/** A draft that is refused, with all that is wrong with it. */
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

/** A route, and how it is administered: `null` for those of the file. */
export type AdministeredRoute = {
  id: string;
  known: KnownRoute;
  setting: Setting<'route'> | null;
  /** One of this id is stored, too, and serves nothing: the file's hides it. */
  hidesStored: boolean;
};

/** All routes, by their ids. */
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
  // The file's comes first, and hides another of its id.
  const known = book.known(await routes.list()).find((each) => each.id === id) ?? noSuch('route');
  return administered(known, await settings.find(by.organizationId, 'route', id));
}

function administered(known: KnownRoute, stored: Setting<'route'> | null): AdministeredRoute {
  const isOfFile = known.from === 'file';
  return { id: known.id, known, setting: isOfFile ? null : stored, hidesStored: isOfFile && stored !== null };
}

/** Targets that no provider is known to serve, which is allowed, and usually a mistake; and providers that did not say what they have. */
export type Unserved = { unserved: readonly { model: string; detail: string }[]; unasked: readonly string[] };

/** What is wrong with a draft, and which targets nobody serves. Nothing is kept. */
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

/** Where a provider has not said what it has, nothing is known to be missing. */
export async function unservedOf({ book }: Pick<RouteAdministration, 'book'>, route: Route): Promise<Unserved> {
  const { members, unasked } = await book.targets(route);
  const missing = members.flatMap(({ model, missing: why }) => (why === null ? [] : [{ model, detail: why.detail }]));
  return { unserved: unasked.length > 0 ? [] : missing, unasked };
}

/** A draft that can be kept. Throws a `DraftRefused`. */
export async function readableDraft(admin: RouteAdministration, draft: RouteDraft): Promise<ReadableDraft> {
  await demandFirstOrganization(admin);
  const read = admin.book.read(draft, await admin.routes.list());
  if ('problems' in read) throw new DraftRefused(draft, read.problems);
  if (read.definition.length > MAX_DEFINITION)
    throw invalid('definition', `must be smaller than ${MAX_DEFINITION / 1024} KB`);
  return read;
}

/** What a version is made of: a draft, and a note of whoever makes it. */
export type NewVersion = { draft: RouteDraft; note?: string | null };

/** A route that was made or changed, and its version that the change was about. */
export type RouteChanged = { setting: Setting<'route'>; version: Setting<'route_version'>; route: Route };

/** Stores a route, in force from then on. Throws `conflict` where there is one of its id. */
export async function createRoute(admin: RouteAdministration, wanted: NewVersion): Promise<RouteChanged> {
  await demandFirstOrganization(admin);
  const { id } = wanted.draft;
  // A path of its own checks drafts.
  if (id === 'validate') throw invalid('id', 'must be another: this one is taken');
  demandNotOfFile(admin, id);
  const read = await readableDraft(admin, wanted.draft);
  const { route, definition } = read;
  const all = await admin.settings.all(admin.by.organizationId, 'route');
  if (all.some((each) => each.id === id))
    throw new GatewayError('conflict', `There is a route ${id} already: make another version of it.`, { param: 'id' });
  if (all.length >= MAX_STORED_ROUTES)
    throw invalid('id', `would be one of more than ${MAX_STORED_ROUTES} routes, which may be stored`);
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

/** A version that is not kept yet. */
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

/** Has calls go by what a route says of its versions. */
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

/** A stored route that is to be changed. Throws `not_found`, `conflict` for another version, and for one of the file. */
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

/** The same with other versions in force. */
export function nextState(
  admin: Administration,
  setting: Setting<'route'>,
  value: Partial<RouteState>,
): Setting<'route'> {
  return changed(setting, { ...value, updatedAt: admin.clock.now() });
}

/** Takes a route out of the store, with all of its versions. */
export async function deleteRoute(admin: RouteAdministration, id: string, ifVersion?: number): Promise<void> {
  await demandFirstOrganization(admin);
  const setting = await admin.settings.find(admin.by.organizationId, 'route', id);
  // One that the file hides can be taken out, too.
  if (setting === null) demandNotOfFile(admin, id);
  if (setting === null) return noSuch('route');
  demandVersion(setting, ifVersion);
  const versions = await admin.settings.all(admin.by.organizationId, 'route_version', { parentId: id });
  const last = versions.find((each) => each.id === setting.value.inForce);
  // One by one: what belongs to `acme/fast` would be taken for what is below `acme`.
  await change(admin, [removed(setting), ...versions.map(removed), { removeRoute: { id } }], {
    type: 'route.deleted',
    resourceId: id,
    details: { before: { definition: last === undefined ? null : JSON.parse(last.value.definition) } },
  });
}

/** Throws `invalid_request` for an id that the configuration has taken. */
function demandNotOfFile({ book }: RouteAdministration, id: string): void {
  if (!book.isOfFile(id)) return;
  throw new GatewayError('invalid_request', `${id} is a route of ${book.file}: it is changed there.`, { param: 'id' });
}

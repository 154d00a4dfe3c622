import { GatewayError } from '../../core/errors.ts';
import type { Route } from '../../core/route.ts';
import type { Page, PageQuery, RouteState, Setting } from '../../core/settings.ts';
import { change, found, invalid, noSuch, put, removed, unchanged } from '../administration.ts';
import {
  changeableRoute,
  findRoute,
  inForce,
  MAX_ROUTE_VERSIONS,
  type NewVersion,
  newVersion,
  nextState,
  type RouteAdministration,
  type RouteChanged,
  readableDraft,
} from './service.ts';

/** For stored routes only: those of the file have no versions. Throws `not_found`. */
export async function listRouteVersions(
  admin: RouteAdministration,
  routeId: string,
  query: PageQuery,
): Promise<Page<Setting<'route_version'>>> {
  await findRoute(admin, routeId);
  return admin.settings.list(admin.by.organizationId, 'route_version', { ...query, parentId: routeId });
}

/** Throws `not_found`. */
export async function findRouteVersion(
  admin: RouteAdministration,
  routeId: string,
  id: string,
): Promise<Setting<'route_version'>> {
  await findRoute(admin, routeId);
  return found(admin, 'route_version', id, routeId);
}

/**
 * A new definition of a stored route, put in force if requested. An earlier definition becomes the earlier version
 * again, whatever it is called now.
 */
export async function addRouteVersion(
  admin: RouteAdministration,
  wanted: NewVersion & { isInForce: boolean },
  ifVersion?: number,
): Promise<RouteChanged> {
  const { id } = wanted.draft;
  const setting = await changeableRoute(admin, id, ifVersion);
  const read = await readableDraft(admin, wanted.draft);
  const { route, definition } = read;
  const versions = await versionsOf(admin, id);
  const same = versions.find(({ value }) => value.version === route.version);
  const number = Math.max(0, ...versions.map(({ value }) => value.number)) + 1;
  const version = same ?? newVersion(admin, wanted, read, number);
  const next = wanted.isInForce ? putInForce(admin, setting, version.id) : setting;
  if (next === setting && same !== undefined) return { setting, version, route };
  const surplus = same === undefined ? surplusOf(versions, next.value) : [];
  const details = { definition: JSON.parse(definition), version_id: version.id, in_force: wanted.isInForce };
  await change(
    admin,
    [
      ...(next === setting ? [unchanged(setting)] : [put(next), inForce(next, [...versions, version])]),
      ...(same === undefined ? [put(version)] : []),
      ...surplus.map(removed),
    ],
    {
      type: 'route.updated',
      resourceId: id,
      details: { changes_requested: details, before: shownState(setting.value) },
    },
  );
  return { setting: next, version, route };
}

/** The versions in use; members that are left out stay. `canary: null` ends the canary. */
export type RouteEdit = { inForce?: string; canary?: RouteState['canary'] };

/** Puts a version in force, or gives another a share of the conversations. */
export async function updateRoute(
  admin: RouteAdministration,
  id: string,
  edit: RouteEdit,
  ifVersion?: number,
): Promise<Setting<'route'>> {
  const setting = await changeableRoute(admin, id, ifVersion);
  const versions = await versionsOf(admin, id);
  for (const [param, versionId] of [
    ['version_in_force', edit.inForce],
    ['canary.version_id', edit.canary?.versionId],
  ] as const) {
    if (versionId !== undefined) demandReadable(admin, id, versions, { param, versionId });
  }
  const moved = edit.inForce === undefined ? setting : putInForce(admin, setting, edit.inForce);
  const canary = edit.canary === undefined ? moved.value.canary : edit.canary;
  if (canary !== null && canary.versionId === moved.value.inForce) {
    throw invalid('canary.version_id', 'is already in force');
  }
  const next = nextState(admin, setting, { ...moved.value, canary });
  await change(admin, [put(next), inForce(next, versions)], {
    type: 'route.updated',
    resourceId: id,
    details: { changes_requested: shownState(next.value), before: shownState(setting.value) },
  });
  return next;
}

/** Restores the previous version. Throws `conflict` if there was none. */
export async function rollBackRoute(
  admin: RouteAdministration,
  id: string,
  ifVersion?: number,
): Promise<Setting<'route'>> {
  const { value, version } = await changeableRoute(admin, id, ifVersion);
  if (value.before === null) throw new GatewayError('conflict', 'There is no earlier version.');
  return updateRoute(admin, id, { inForce: value.before }, version);
}

/** A canary ends when its version comes into force. */
function putInForce(admin: RouteAdministration, setting: Setting<'route'>, versionId: string): Setting<'route'> {
  const { inForce: present, canary } = setting.value;
  if (present === versionId) return setting;
  const kept = canary?.versionId === versionId ? null : canary;
  return nextState(admin, setting, { inForce: versionId, before: present, canary: kept });
}

function versionsOf({ settings, by }: RouteAdministration, id: string): Promise<Setting<'route_version'>[]> {
  return settings.all(by.organizationId, 'route_version', { parentId: id });
}

/** The configuration may have changed since a version was created. */
function demandReadable(
  { book }: RouteAdministration,
  id: string,
  versions: readonly Setting<'route_version'>[],
  { param, versionId }: { param: string; versionId: string },
): void {
  const { value } = versions.find((each) => each.id === versionId) ?? noSuch('version of this route');
  const kept = { id, definition: value.definition, from: 'store' as const, updatedAt: 0 };
  const problem = book.known([kept]).find((each) => each.id === id && each.from === 'store')?.problem ?? null;
  if (problem !== null) throw invalid(param, `cannot be put in force: ${problem}`);
}

/** The oldest unused versions. */
function surplusOf(versions: readonly Setting<'route_version'>[], state: RouteState): Setting<'route_version'>[] {
  const used = [state.inForce, state.before, state.canary?.versionId];
  const free = versions.filter(({ id }) => !used.includes(id));
  return free.slice(0, Math.max(0, versions.length + 1 - MAX_ROUTE_VERSIONS));
}

function shownState({ inForce: versionId, canary }: RouteState): Record<string, unknown> {
  return {
    version_in_force: versionId,
    canary: canary === null ? null : { version_id: canary.versionId, share: canary.share },
  };
}

/** The differences between two versions of a route; the second defaults to the one in force. Throws `not_found`. */
export async function diffRouteVersions(
  admin: RouteAdministration,
  routeId: string,
  { to: toId, from: fromId }: { to: string; from?: string | undefined },
): Promise<{ from: string; to: string; changes: DefinitionChange[] }> {
  const { setting } = await findRoute(admin, routeId);
  const to = await findRouteVersion(admin, routeId, toId);
  const from = await findRouteVersion(admin, routeId, fromId ?? setting?.value.inForce ?? to.id);
  const changes = definitionChanges(JSON.parse(from.value.definition), JSON.parse(to.value.definition));
  return { from: from.id, to: to.id, changes };
}

/**
 * A version of a route to try (default: the one in force, reported by `isInForce`). Throws `not_found`, and a
 * `DraftRefused` if it no longer fits the configuration.
 */
export async function triedVersion(
  admin: RouteAdministration,
  id: string,
  versionId: string | undefined,
): Promise<{ route: Route; isInForce: boolean }> {
  const { known } = await findRoute(admin, id);
  if (versionId === undefined && known.route !== null) return { route: known.route, isInForce: true };
  const text =
    versionId === undefined ? known.definition : (await findRouteVersion(admin, id, versionId)).value.definition;
  return {
    route: (await readableDraft(admin, { id, text, file: null, isTyped: false, isKept: true })).route,
    isInForce: false,
  };
}

/** A member in which two definitions differ, with its path; `undefined` if one lacks it. */
export type DefinitionChange = { path: string; before: unknown; after: unknown };

/** The differences between two definitions by member; items of lists are compared by position. */
export function definitionChanges(before: unknown, after: unknown, path = ''): DefinitionChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place);
    return places.flatMap((place) => definitionChanges(before[place], after[place], `${path}[${place}]`));
  }
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) =>
    definitionChanges(own(before, name), own(after, name), path === '' ? name : `${path}.${name}`),
  );
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

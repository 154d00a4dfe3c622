import { z } from 'zod';
import { deletedOf, ifVersion, pageJson, pageOf, pageQuery } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, text } from '../../api/schema.ts';
import type { Administrator } from '../../core/administrator.ts';
import { slicePage } from '../pages.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  draftMembers,
  draftOf,
  hasOneDraft,
  noteText,
  oneDraft,
  organizationRoute,
  routeIdText,
  routeJson,
  routeVersion,
  VERSION_ID,
  versionJson,
  wholeRoute,
  wholeRouteJson,
  wholeVersion,
  wholeVersionJson,
} from './schemas.ts';
import { createRoute, deleteRoute, findRoute, listRoutes, type RouteAdministration } from './service.ts';
import {
  addRouteVersion,
  diffRouteVersions,
  findRouteVersion,
  listRouteVersions,
  rollBackRoute,
  updateRoute,
} from './versions.ts';

const READ = { permission: 'api.routes.read' } as const;
const WRITE = { permission: 'api.routes.write' } as const;
const tag = 'Organization';
const ONE = '/v1/organization/routes/{route_id}';
const OWN =
  'Routes belong to the gateway: its first organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.';

export const LIST_ORGANIZATION_ROUTES = operation('listOrganizationRoutes', 'GET /v1/organization/routes', {
  client: 'settings.routes.list',
  tag,
  summary: 'List the routes of the configuration and of the store, by id.',
  description: OWN,
  access: READ,
  query: pageQuery().omit({ before: true }),
  answer: { description: 'A page of routes.', schema: pageOf('OrganizationRouteList', organizationRoute) },
});

export const CREATE_ROUTE = operation('createRoute', 'POST /v1/organization/routes', {
  client: 'settings.routes.create',
  tag,
  summary: 'Store a route, which calls may use within a second.',
  access: WRITE,
  body: {
    schema: named(
      'OrganizationRouteRequest',
      z
        .strictObject({ id: routeIdText, ...draftMembers, note: noteText })
        .refine((body) => hasOneDraft(body, true), oneDraft()),
    ),
  },
  answer: { description: 'The route.', schema: wholeRoute },
  errors: ['conflict'],
});

export const RETRIEVE_ROUTE = operation('retrieveOrganizationRoute', `GET ${ONE}`, {
  client: 'settings.routes.retrieve',
  tag,
  summary: 'Get a route with its definition.',
  access: READ,
  answer: { description: 'The route.', schema: wholeRoute },
});

export const UPDATE_ROUTE = operation('updateRoute', `POST ${ONE}`, {
  client: 'settings.routes.update',
  tag,
  summary: 'Put a version of a stored route in force, or give another version a share of its conversations.',
  access: WRITE,
  body: {
    schema: named(
      'OrganizationRouteUpdate',
      z.strictObject({
        version_in_force: VERSION_ID.exactOptional(),
        canary: z
          .strictObject({
            version_id: VERSION_ID,
            share: z
              .number('must be a number')
              .gt(0, 'must be above 0')
              .lt(1, 'must be below 1 (put the version in force for all instead)')
              .describe('The share of the conversations that use it. Each conversation keeps its version.'),
          })
          .nullable()
          .exactOptional()
          .describe('`null` ends it.'),
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The route.', schema: wholeRoute },
});

export const ROLL_BACK_ROUTE = operation('rollBackRoute', `POST ${ONE}/rollback`, {
  client: 'settings.routes.rollback',
  tag,
  summary: 'Restore the previous version.',
  access: WRITE,
  body: { schema: named('OrganizationRouteRollback', z.strictObject({ if_version: ifVersion })) },
  answer: { description: 'The route.', schema: wholeRoute },
});

export const DELETE_ROUTE = operation('deleteRoute', `DELETE ${ONE}`, {
  client: 'settings.routes.delete',
  tag,
  summary: 'Remove a route from the store, with its versions. Usage records stay.',
  access: WRITE,
  answer: {
    description: 'It was deleted.',
    schema: deletedOf('OrganizationRouteDeleted', 'organization.route.deleted'),
  },
});

export const LIST_ROUTE_VERSIONS = operation('listRouteVersions', `GET ${ONE}/versions`, {
  client: 'settings.routes.versions.list',
  tag,
  summary: 'List the versions of a stored route, oldest first.',
  access: READ,
  query: pageQuery(),
  answer: { description: 'A page of versions.', schema: pageOf('OrganizationRouteVersionList', routeVersion) },
});

export const CREATE_ROUTE_VERSION = operation('createRouteVersion', `POST ${ONE}/versions`, {
  client: 'settings.routes.versions.create',
  tag,
  summary: 'Give a stored route a new definition. An earlier definition becomes the earlier version again.',
  access: WRITE,
  body: {
    schema: named(
      'OrganizationRouteVersionRequest',
      z
        .strictObject({
          ...draftMembers,
          note: noteText,
          in_force: z.boolean('must be true or false').default(true).describe('`false`: store it without using it.'),
          if_version: ifVersion.describe('The `version` of the route that was read.'),
        })
        .refine((body) => hasOneDraft(body, true), oneDraft()),
    ),
  },
  answer: { description: 'The version.', schema: wholeVersion },
});

export const RETRIEVE_ROUTE_VERSION = operation('retrieveRouteVersion', `GET ${ONE}/versions/{version_id}`, {
  client: 'settings.routes.versions.retrieve',
  tag,
  summary: 'Get a version with its definition.',
  access: READ,
  answer: { description: 'The version.', schema: wholeVersion },
});

export const DIFF_ROUTE_VERSION = operation('diffRouteVersion', `GET ${ONE}/versions/{version_id}/diff`, {
  client: 'settings.routes.versions.diff',
  tag,
  summary: 'Get the differences between two versions of a route.',
  access: READ,
  query: z.object({
    from: VERSION_ID.exactOptional().describe('The version to compare with (default: the one in force).'),
  }),
  answer: {
    description: 'The differences by member.',
    schema: named(
      'OrganizationRouteDiff',
      z.object({
        object: z.literal('organization.route.diff'),
        from: text,
        to: text,
        changes: z.array(
          z.object({
            path: text,
            before: z.unknown().describe('Left out if the member is new.'),
            after: z.unknown().describe('Left out if the member was removed.'),
          }),
        ),
      }),
    ),
  },
});

/** The services of an administrator for routes. */
export function routesAtWork(parts: SettingsParts, by: Administrator): RouteAdministration {
  const { store, organizations, book } = parts.routing;
  return { ...atWork(parts, by), routes: store, organizations, book: book() };
}

export const ROUTE_OPERATIONS = resource([
  LIST_ORGANIZATION_ROUTES.handledBy(async ({ administrator, query }, parts) => {
    const admin = routesAtWork(parts, administrator);
    return pageJson(slicePage(await listRoutes(admin), query), (route) => routeJson(route, admin.book.file));
  }),
  CREATE_ROUTE.handledBy(async ({ administrator, body }, parts) => {
    const admin = routesAtWork(parts, administrator);
    await createRoute(admin, { draft: draftOf(body.id, body), note: body.note ?? null });
    return shown(admin, body.id);
  }),
  RETRIEVE_ROUTE.handledBy(({ administrator, path }, parts) =>
    shown(routesAtWork(parts, administrator), path.route_id),
  ),
  UPDATE_ROUTE.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = routesAtWork(parts, administrator);
    const { version_in_force: inForce, canary, if_version } = body;
    const edit = {
      ...(inForce !== undefined && { inForce }),
      ...(canary !== undefined && {
        canary: canary === null ? null : { versionId: canary.version_id, share: canary.share },
      }),
    };
    await updateRoute(admin, path.route_id, edit, if_version);
    return shown(admin, path.route_id);
  }),
  ROLL_BACK_ROUTE.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = routesAtWork(parts, administrator);
    await rollBackRoute(admin, path.route_id, body.if_version);
    return shown(admin, path.route_id);
  }),
  DELETE_ROUTE.handledBy(async ({ administrator, path }, parts) => {
    await deleteRoute(routesAtWork(parts, administrator), path.route_id);
    return { id: path.route_id, object: 'organization.route.deleted', deleted: true };
  }),
  LIST_ROUTE_VERSIONS.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listRouteVersions(routesAtWork(parts, administrator), path.route_id, query), versionJson),
  ),
  CREATE_ROUTE_VERSION.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = routesAtWork(parts, administrator);
    const { note = null, in_force: isInForce, if_version } = body;
    const wanted = { draft: draftOf(path.route_id, body), note, isInForce };
    const { version } = await addRouteVersion(admin, wanted, if_version);
    return wholeVersionJson(version, admin.book);
  }),
  RETRIEVE_ROUTE_VERSION.handledBy(async ({ administrator, path }, parts) => {
    const admin = routesAtWork(parts, administrator);
    return wholeVersionJson(await findRouteVersion(admin, path.route_id, path.version_id), admin.book);
  }),
  DIFF_ROUTE_VERSION.handledBy(async ({ administrator, path, query }, parts) => {
    const admin = routesAtWork(parts, administrator);
    const versions = { to: path.version_id, from: query.from };
    return { object: 'organization.route.diff', ...(await diffRouteVersions(admin, path.route_id, versions)) };
  }),
]);

async function shown(admin: RouteAdministration, id: string) {
  const route = await findRoute(admin, id);
  const { setting } = route;
  const version = setting === null ? null : await findRouteVersion(admin, id, setting.value.inForce);
  return wholeRouteJson(route, admin.book, version?.value.yaml ?? null);
}

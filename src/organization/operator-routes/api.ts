import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { count, decimal, flag, text } from '../../api/schema.ts';
import type { Administrator } from '../../core/administrator.ts';
import { GatewayError } from '../../core/errors.ts';
import type { RouteMember } from '../../core/known-route.ts';
import { dollarsPerMillion } from '../../core/money.ts';
import { replayJson } from '../../core/replay.ts';
import { parseJson } from '../../json/parse.ts';
import type { SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { routesAtWork } from '../routes/api.ts';
import { noteText, organizationRoute, routeJson } from '../routes/schemas.ts';
import { createRoute, findRoute, type RouteAdministration, readableDraft, unservedOf } from '../routes/service.ts';
import { addRouteVersion, triedVersion } from '../routes/versions.ts';

const ONE = '/v1/operator/routes/{route_id}';
const about = { tag: 'Organization', access: 'operator' } as const;

const place = z.object({
  model: text,
  role: text,
  provider: text.nullable(),
  upstream_model: text.nullable(),
  credential: text.nullable(),
  input_per_1m: decimal.nullable(),
  output_per_1m: decimal.nullable(),
  left_out: z.object({ reason: text, detail: text }).nullable(),
});

const shownRoute = organizationRoute.extend({
  definition: z.looseObject({}).nullable(),
  definition_text: text.describe('As it is stored, in JSON.'),
  places: z.array(place),
  unasked: z.array(text),
});

const SHOW_ROUTE = operation('showRoute', `GET ${ONE}`, {
  ...about,
  summary: 'Get a route with all its targets.',
  answer: { description: 'The route.', schema: shownRoute },
});

/** A draft as a command reads it from a file, whose name is in its problems. */
const draft = { text, file: text };

const PUT_ROUTE = operation('putRoute', `POST ${ONE}`, {
  ...about,
  summary: 'Store a route, or a new version of one.',
  body: { schema: z.strictObject({ ...draft, note: noteText, in_force: flag.default(true) }) },
  answer: {
    description: 'The route.',
    schema: organizationRoute.extend({
      version_id: text,
      version_number: count,
      version_hash: text,
      is_in_force: flag.describe('Whether the stored version is in force.'),
      unserved: z.array(z.object({ model: text, detail: text })),
    }),
  },
});

const REPLAY = operation('replayRouteAsOperator', `POST ${ONE}/replay`, {
  ...about,
  summary: 'Decide past calls of a route again by a draft, a version (default: the one in force).',
  body: {
    schema: z.strictObject({
      draft: z.strictObject(draft).exactOptional(),
      version_id: text.exactOptional(),
      since: z.int(),
      limit: z.int().min(1).exactOptional(),
    }),
  },
  answer: { description: 'Sums over the calls.', schema: z.looseObject({}) },
});

/** For the operator alone. */
export const OPERATOR_ROUTE_OPERATIONS = resource([
  SHOW_ROUTE.handledBy(async ({ administrator, path }, parts) => {
    const admin = operatorAtWork(parts, administrator, true);
    const found = await findRoute(admin, path.route_id);
    const { route, definition } = found.known;
    const { members, unasked } = route === null ? { members: [], unasked: [] } : await admin.book.targets(route);
    return {
      ...routeJson(found, admin.book.file),
      definition: objectIn(definition),
      definition_text: definition,
      places: members.map(placeJson),
      unasked: [...unasked],
    };
  }),
  PUT_ROUTE.handledBy(async ({ administrator, path: { route_id: id }, body }, parts) => {
    const admin = operatorAtWork(parts, administrator, false);
    const { note = null, in_force: isInForce } = body;
    const wanted = { draft: { id, text: body.text, file: body.file, isTyped: true }, note, isInForce };
    const isKept = (await admin.settings.find(admin.by.organizationId, 'route', id)) !== null;
    if (!isKept && !isInForce) {
      const message = `There is no route ${id} yet. Its first version comes into force at once.`;
      throw new GatewayError('invalid_request', message);
    }
    const { setting, route, version } = await (isKept ? addRouteVersion(admin, wanted) : createRoute(admin, wanted));
    const { unserved } = await unservedOf(admin, route);
    return {
      ...routeJson(await findRoute(admin, id), admin.book.file),
      version_id: version.id,
      version_number: version.value.number,
      version_hash: version.value.version,
      is_in_force: setting.value.inForce === version.id,
      unserved: [...unserved],
    };
  }),
  REPLAY.handledBy(async ({ administrator, path: { route_id: id }, body }, parts) => {
    const admin = operatorAtWork(parts, administrator, true);
    const { since, limit = Number.MAX_SAFE_INTEGER } = body;
    const { route } =
      body.draft === undefined
        ? await triedVersion(admin, id, body.version_id)
        : await readableDraft(admin, { id, ...body.draft, isTyped: false });
    const { unasked } = await admin.book.targets(route);
    const result = await parts.routing.replay({ route, from: since * 1000, limit });
    return { object: 'route.replay', route: id, draft_version: route.version, since, ...replayJson(result), unasked };
  }),
]);

function operatorAtWork(parts: SettingsParts, by: Administrator, asks: boolean): RouteAdministration {
  return { ...routesAtWork(parts, by), book: parts.routing.operatorBook(asks) };
}

/** `null` for what is not an object in JSON. */
function objectIn(definition: string): Record<string, unknown> | null {
  try {
    return parseJson(definition) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function placeJson({ model, role, provider, upstreamModel, credential, price, missing }: RouteMember) {
  const dollarsOf = (rate: bigint | undefined) => (rate === undefined ? null : dollarsPerMillion(rate));
  return {
    model,
    role,
    provider: provider || null,
    upstream_model: upstreamModel || null,
    credential: credential || null,
    input_per_1m: dollarsOf(price?.rates.input),
    output_per_1m: dollarsOf(price?.rates.output),
    left_out: missing,
  };
}

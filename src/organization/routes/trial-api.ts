import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { routeDecision, SURFACE_NAMES } from '../../api/route-decision.ts';
import { count, decimal, flag, named, oneOf, seconds, text } from '../../api/schema.ts';
import { replayJson } from '../../core/replay.ts';
import type { Route } from '../../core/route.ts';
import { parseJson } from '../../json/parse.ts';
import { demandPermission } from '../permissions.ts';
import { resource } from '../resource.ts';
import { routesAtWork } from './api.ts';
import {
  draftMembers,
  draftOf,
  hasOneDraft,
  oneDraft,
  problemJson,
  routeCheck,
  routeIdText,
  VERSION_ID,
} from './schemas.ts';
import { checkDraft, type RouteAdministration, readableDraft } from './service.ts';
import { triedVersion } from './versions.ts';

const READ = { permission: 'api.routes.read' } as const;
const tag = 'Organization';
const ONE = '/v1/organization/routes/{route_id}';

/** The most calls of a replay. */
const MAX_REPLAYED = 100_000;
const WEEK_SECONDS = 7 * 86_400;

const tried = {
  ...draftMembers,
  version_id: VERSION_ID.exactOptional().describe(
    'A version of the route instead of a draft (default: the version in force).',
  ),
};
const oneOfThem = () => oneDraft('cannot be combined with `yaml` or `version_id`');

type TriedBody = { definition?: Record<string, unknown>; yaml?: string; version_id?: string };

function hasOneToTry(body: TriedBody): boolean {
  return hasOneDraft(body, false) && (body.version_id === undefined || !hasOneDraft(body, true));
}

export const CHECK_ROUTE = operation('checkRoute', 'POST /v1/organization/routes/validate', {
  client: 'settings.routes.validate',
  tag,
  summary: 'Check the draft of a route. Nothing is stored.',
  access: READ,
  body: {
    schema: named(
      'OrganizationRouteDraft',
      z.strictObject({ id: routeIdText, ...draftMembers }).refine((body) => hasOneDraft(body, true), oneDraft()),
    ),
  },
  answer: { description: 'All problems, and targets that nobody serves.', schema: routeCheck },
});

export const TRY_ROUTE = operation('tryRoute', `POST ${ONE}/explain`, {
  client: 'settings.routes.explain',
  tag,
  summary:
    'Show who would serve a call, and why, by a route or its draft. No provider is called, and nothing is recorded.',
  access: READ,
  body: {
    schema: named(
      'OrganizationRouteTry',
      z
        .strictObject({
          call: z.looseObject({}, 'must be an object').describe('The body of the call; its `model` is ignored.'),
          surface: oneOf(SURFACE_NAMES)
            .exactOptional()
            .describe('Type of the call (default: determined by its members).'),
          ...tried,
        })
        .refine(hasOneToTry, oneOfThem()),
    ),
  },
  answer: { description: 'The decision that would be made now.', schema: routeDecision },
  errors: ['model_not_found', 'overloaded'],
});

export const REPLAY_ROUTE = operation('replayRoute', `POST ${ONE}/replay`, {
  client: 'settings.routes.replay',
  tag,
  summary: 'Decide past calls of a route again by a draft, and show what would change.',
  description:
    'Each call is decided from its record: its features, the health of the targets then, the same random numbers. Expected costs ' +
    'use the prices known now. It takes at most 10 seconds, and one replay runs at a time. Its sums cover everybody’s ' +
    'calls, so it also needs the permission `api.usage.read`.',
  access: READ,
  body: {
    schema: named(
      'OrganizationRouteReplay',
      z
        .strictObject({
          ...tried,
          since: z
            .int('must be Unix seconds')
            .min(0, 'must be Unix seconds')
            .exactOptional()
            .describe('Start in Unix seconds (default: seven days ago).'),
          limit: z
            .int('must be a whole number')
            .min(1, 'must be at least 1')
            .max(MAX_REPLAYED, `must be at most ${MAX_REPLAYED}`)
            .default(MAX_REPLAYED)
            .describe('Only the first calls.'),
        })
        .refine(hasOneToTry, oneOfThem()),
    ),
  },
  answer: { description: 'Sums over the calls.', schema: replaySchema() },
  errors: ['overloaded'],
});

function replaySchema() {
  const serving = z.object({ provider: text, model: text }).nullable().describe('`null`: nobody.');
  return named(
    'OrganizationRouteReplayed',
    z.object({
      object: z.literal('organization.route.replay'),
      route_id: text,
      definition_version: text,
      since: seconds,
      calls: count,
      complete: flag.describe('`false`: the number or time was not enough for all calls.'),
      moved: count.describe('Calls that would use another target.'),
      moves: z.array(z.object({ from: serving, to: serving, calls: count })),
      expected_cost: z
        .object({ calls: count, before_usd: decimal, after_usd: decimal })
        .nullable()
        .describe('Over calls with both values.'),
      expected_quality: z.object({ calls: count, before: decimal, after: decimal }).nullable(),
      unserved: z.object({ calls: count, errors: z.record(text, count) }),
    }),
  );
}

export const ROUTE_TRY_OPERATIONS = resource([
  CHECK_ROUTE.handledBy(async ({ administrator, body }, parts) => {
    const draft = draftOf(body.id, body);
    const found = await checkDraft(routesAtWork(parts, administrator), draft);
    return {
      object: 'organization.route.check',
      valid: found.problems.length === 0,
      problems: found.problems.map((problem) => problemJson(problem, draft.isTyped)),
      definition_version: found.route?.version ?? null,
      definition: found.definition === null ? null : (parseJson(found.definition) as Record<string, unknown>),
      unserved: found.unserved,
      unasked: found.unasked,
    };
  }),
  TRY_ROUTE.handledBy(async ({ administrator, path, body }, parts) => {
    const id = path.route_id;
    const route = await routeToTry(routesAtWork(parts, administrator), id, body);
    const call = { id, surface: body.surface, body: Buffer.from(JSON.stringify(body.call)) };
    // A route that was just stored is not in force yet.
    const isKnown =
      route.isInForce && parts.directory().entries.some((entry) => entry.origin !== 'vendor' && entry.id === id);
    return parts.explainToOperator(isKnown ? call : { ...call, draft: route.route });
  }),
  REPLAY_ROUTE.handledBy(async ({ administrator, path, body }, parts) => {
    const id = path.route_id;
    // Its sums cover everybody's calls.
    demandPermission(administrator, 'api.usage.read');
    const { route } = await routeToTry(routesAtWork(parts, administrator), id, body);
    const since = body.since ?? Math.floor(parts.admin.clock.now() / 1000) - WEEK_SECONDS;
    const result = await parts.routing.replay({ route, from: since * 1000, limit: body.limit });
    return {
      object: 'organization.route.replay',
      route_id: id,
      definition_version: route.version,
      since,
      ...replayJson(result),
    };
  }),
]);

/**
 * The draft of a body, for a new or existing route; else the named version or the one in force. Throws `not_found` if
 * the route does not exist.
 */
async function routeToTry(
  admin: RouteAdministration,
  id: string,
  body: TriedBody,
): Promise<{ route: Route; isInForce: boolean }> {
  if (body.definition !== undefined || body.yaml !== undefined)
    return { route: (await readableDraft(admin, draftOf(id, body))).route, isInForce: false };
  return triedVersion(admin, id, body.version_id);
}

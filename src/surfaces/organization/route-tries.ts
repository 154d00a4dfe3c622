import { z } from 'zod';
import { demandPermission } from '../../admin/permitted.ts';
import { checkDraft, type RouteAdministration, readableDraft } from '../../admin/routes/routes.ts';
import { triedVersion } from '../../admin/routes/versions.ts';
import { replayJson } from '../../core/replay.ts';
import type { Route } from '../../core/route.ts';
import { parseJson } from '../../json/parse.ts';
import { explainToOperator, SURFACE_NAMES } from '../explain.ts';
import { routeDecision } from '../explained.ts';
import { type HttpApi, operation } from '../operation.ts';
import { count, decimal, flag, named, oneOf, seconds, text } from '../schema.ts';
import {
  draftMembers,
  draftOf,
  hasOneDraft,
  oneDraft,
  problemJson,
  routeCheck,
  routeIdText,
  VERSION_ID,
} from './route-schemas.ts';
import { routesAtWork } from './routes.ts';
import type { SettingsParts } from './shared.ts';

const READ = { permission: 'api.routes.read' } as const;
const tag = 'Organization';
const ONE = '/v1/organization/routes/{route_id}';

/** How many calls a replay looks at. */
const MAX_REPLAYED = 100_000;
const WEEK_SECONDS = 7 * 86_400;

const tried = {
  ...draftMembers,
  version_id: VERSION_ID.exactOptional().describe(
    'A version of the route, in the place of a draft; with neither, what is in force.',
  ),
};
const oneOfThem = () => oneDraft('may be given, or `yaml`, or `version_id`, and not two of them');

type TriedBody = { definition?: Record<string, unknown>; yaml?: string; version_id?: string };

function hasOneToTry(body: TriedBody): boolean {
  return hasOneDraft(body, false) && (body.version_id === undefined || !hasOneDraft(body, true));
}

export const CHECK_ROUTE = operation('checkRoute', 'POST /v1/organization/routes/validate', {
  tag,
  summary: 'Tell what is wrong with the draft of a route. Nothing is kept.',
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
  tag,
  summary:
    'Tell who would serve a call, and why, by a route or a draft of it. No provider is called, and nothing is recorded.',
  access: READ,
  body: {
    schema: named(
      'OrganizationRouteTry',
      z
        .strictObject({
          call: z.looseObject({}, 'must be an object').describe('The body of the call; its `model` is ignored.'),
          surface: oneOf(SURFACE_NAMES)
            .exactOptional()
            .describe('What the call is of; left out, it is told by its members.'),
          ...tried,
        })
        .refine(hasOneToTry, oneOfThem()),
    ),
  },
  answer: { description: 'The decision, at this moment.', schema: routeDecision },
  errors: ['model_not_found', 'overloaded'],
});

export const REPLAY_ROUTE = operation('replayRoute', `POST ${ONE}/replay`, {
  tag,
  summary: 'Decide past calls of a route anew by a draft of it, and tell what would change.',
  description:
    'Each call is decided from what was kept of it: what it was, how the targets did then, the same chance. Expected costs ' +
    'are by the prices known now. It takes 10 seconds at most, beside the work for calls; one is done at a time. It sums up the ' +
    'calls of all, so it needs the permission `api.usage.read`, too.',
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
            .describe('Calls from then on, in Unix seconds; left out, those of the last seven days.'),
          limit: z
            .int('must be a whole number')
            .min(1, 'must be at least 1')
            .max(MAX_REPLAYED, `must be at most ${MAX_REPLAYED}`)
            .default(MAX_REPLAYED)
            .describe('The first so many calls.'),
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
      complete: flag.describe('`false`: further calls were left out, for their number or the time.'),
      moved: count.describe('Calls that would go to another target.'),
      moves: z.array(z.object({ from: serving, to: serving, calls: count })),
      expected_cost: z
        .object({ calls: count, before_usd: decimal, after_usd: decimal })
        .nullable()
        .describe('Over the calls of which both are known.'),
      expected_quality: z.object({ calls: count, before: decimal, after: decimal }).nullable(),
      unserved: z.object({ calls: count, errors: z.record(text, count) }),
    }),
  );
}

export const ROUTE_TRY_OPERATIONS = [CHECK_ROUTE, TRY_ROUTE, REPLAY_ROUTE];

export function serveRouteTries(served: HttpApi, parts: SettingsParts): void {
  CHECK_ROUTE.serve(served, async ({ administrator, body }) => {
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
  });
  TRY_ROUTE.serve(served, async ({ administrator, path, body }) => {
    const id = path.route_id;
    const route = await routeToTry(routesAtWork(parts, administrator), id, body);
    const call = { id, surface: body.surface, body: Buffer.from(JSON.stringify(body.call)) };
    // One that was stored this moment is not in force yet.
    const isKnown =
      route.isInForce && parts.directory().entries.some((entry) => entry.origin !== 'vendor' && entry.id === id);
    return explainToOperator(parts, isKnown ? call : { ...call, draft: route.route });
  });
  REPLAY_ROUTE.serve(served, async ({ administrator, path, body }) => {
    const id = path.route_id;
    // Its sums are of everybody's calls.
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
  });
}

/**
 * The draft of a body, of a route that may not be there yet; or the version that it names, else what is in force. Throws
 * `not_found` for a route that is not there.
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

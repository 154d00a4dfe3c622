import { z } from 'zod';
import { jsonBody } from '../api/json-body.ts';
import { type HandledOperation, operation } from '../api/operation.ts';
import { type OperatorsCall, routeDecision, SURFACE_NAMES, type SurfaceName } from '../api/route-decision.ts';
import { oneOf, type Written } from '../api/schema.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import { NO_KEY } from '../core/records.ts';
import type { CallSummary, Route } from '../core/route.ts';
import { headerOf } from '../http/layers.ts';
import type { Explained } from '../pipeline/explain.ts';
import type { CallRequest } from '../pipeline/parts.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { explainedJson } from './explained.ts';
import { SURFACES } from './model-call.ts';

/** The reasons of a prediction, by name, for each target; `null` if the route predicts nothing. */
export type ExplainFeatures = (
  route: Route,
  summary: CallSummary,
  promptTokens: number,
) => readonly { target: string; features: readonly { name: string; weight: number }[] }[] | null;

export type ExplainParts = {
  pipeline: Pick<Pipeline, 'explain'>;
  /** What can be called now. */
  directory(): Directory;
  /** Absent without a smart route. */
  explainFeatures?: ExplainFeatures;
};

export const EXPLAIN_ROUTE = operation('explainRoute', 'POST /v1/routes/{id}/explain', {
  client: 'routes.explain',
  tag: 'Catalog',
  summary: 'Show who would serve a call, and why. No provider is called, and nothing is recorded.',
  access: { people: 'api.projects.read' },
  idDescription: 'A route or a vendor’s model. Slashes may be encoded or not.',
  query: z.object({
    surface: oneOf(SURFACE_NAMES).optional().describe('Type of the body (default: determined by its members).'),
  }),
  body: {
    schema: z.looseObject({}),
    description: 'The body of the call; its `model` is ignored.',
    unchecked: true,
  },
  answer: { description: 'The decision that would be made now.', schema: routeDecision },
  errors: ['model_not_allowed', 'model_not_found', 'not_found', 'overloaded'],
});

/** How a route would decide on a call with this body, without calling anyone. */
export const EXPLAIN_OPERATION: HandledOperation<ExplainParts> = EXPLAIN_ROUTE.handledBy(
  ({ id, query: { surface }, caller, request }, parts: ExplainParts) =>
    explain(parts, {
      ...{ id, surface, caller, body: request.body },
      sent: { header: (name) => headerOf(request, name) },
    }),
);

/** A call of the caller. `body`: its bytes, or `undefined`. */
export type ExplainedCall = Pick<CallRequest, 'sent'> & OperatorsCall & { caller: Caller };

/** For the operator: needs no key, and shows everything. */
export function explainToOperator(parts: ExplainParts, call: OperatorsCall): Promise<Written<typeof routeDecision>> {
  return explain(parts, { ...call, caller: OPERATOR, sent: { header: () => undefined } });
}

/** Explains a call's decision. Rejects as `Pipeline.explain` does, and if the body is not an object. */
export async function explain(
  { pipeline, directory, explainFeatures }: ExplainParts,
  { id, surface, caller, sent, draft, ...call }: ExplainedCall,
): Promise<Written<typeof routeDecision>> {
  const body = objectIn(call.body);
  const asked = {
    asked: SURFACES[surface ?? surfaceOf(body.value, directory().find(id))].dialect,
    caller,
    sent,
    // The original bytes if they name the route, because their number matters.
    body: body.value.model === id ? body.bytes : Buffer.from(JSON.stringify({ ...body.value, model: id })),
  };
  const explained = await pipeline.explain(asked, draft);
  const { admin } = caller.key;
  const isTold = admin || explained.kind === 'direct' || explained.entry.route.disclose;
  return { ...explainedJson(explained, admin), ...(isTold && featuresJson(explained, explainFeatures)) };
}

type BodyMembers = Readonly<Record<string, unknown>>;

function objectIn(body: unknown): { bytes: Buffer; value: BodyMembers } {
  const value = jsonBody(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { bytes: body as Buffer, value: value as BodyMembers };
  }
  throw new GatewayError('invalid_json', 'The body must be a JSON object: the body of the call to explain.');
}

/** Members that only Anthropic's clients send beside `messages`. */
const OF_MESSAGES = ['system', 'stop_sequences', 'thinking', 'top_k'];

/** The only possible type of a body, else chat. */
function surfaceOf(body: BodyMembers, entry: CatalogEntry | undefined): SurfaceName {
  if ('messages' in body) return OF_MESSAGES.some((name) => name in body) ? 'messages' : 'chat';
  if (!('input' in body)) return 'chat';
  const dialects = entry?.model.dialects ?? [];
  return dialects.length > 0 && dialects.every((dialect) => dialect === 'openai-embeddings')
    ? 'embeddings'
    : 'responses';
}

function featuresJson(
  explained: Explained,
  explain: ExplainFeatures | undefined,
): Pick<Written<typeof routeDecision>, 'features'> {
  if (explain === undefined || explained.kind === 'direct') return {};
  const { entry, summary, decision } = explained;
  const features = explain(entry.route, summary, decision.traits.promptTokens);
  return features === null ? {} : { features };
}

/** The operator. */
const OPERATOR: Caller = {
  key: { ...NO_KEY, id: 'operator', organizationId: 'operator', name: 'operator', admin: true },
  organization: { id: 'operator', name: 'operator', createdAt: 0 },
};

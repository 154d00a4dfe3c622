import { z } from 'zod';
import { DIALECT_IDS } from '../core/provider.ts';
import { CANDIDATE_ROLES, LEFT_OUT_REASONS, type Route } from '../core/route.ts';
import { CIRCUITS } from '../core/target-status.ts';
import { CREDENTIAL, count, decimal, flag, named, seconds, text, type Written } from './schema.ts';

/** Types of model calls, as operations name them. */
export const SURFACE_NAMES = ['chat', 'responses', 'messages', 'embeddings'] as const;
export type SurfaceName = (typeof SURFACE_NAMES)[number];

/** A call that the operator asks about. `surface` defaults to what the body suggests; `draft`: a route that is not in force. */
export type OperatorsCall = { id: string; surface: SurfaceName | undefined; body: unknown; draft?: Route | undefined };

export const circuit = z
  .enum(CIRCUITS)
  .describe('`closed`: calls go there; `open`: none do; `half_open`: one may, as a test.');
export const until = seconds.nullable().describe('Unix time in seconds from which calls may go there again.');

export const namedTarget = z.object({
  model: text.describe('The route’s name for it.'),
  provider: text,
  upstream_model: text,
  credential: CREDENTIAL,
});
export const calledTargets = z.array(
  namedTarget.extend({
    dialect: z.enum(DIALECT_IDS).describe('The format in which it would be called.'),
    full_until: seconds
      .nullable()
      .exactOptional()
      .describe(
        'Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process ' +
          'knows. For administrators’ keys.',
      ),
  }),
);

const health = z.object({
  circuit,
  open_until: until,
  credential_out_until: until,
  first_token_ms: decimal.nullable().describe('Of streams; `null` without recent ones.'),
  whole_ms: decimal.nullable().describe('Of answers that are not streamed; `null` without recent ones.'),
  in_flight: count,
});

const candidate = namedTarget.extend({
  role: z.enum(CANDIDATE_ROLES),
  left_out: z
    .object({ reason: z.enum(LEFT_OUT_REASONS), detail: text })
    .nullable()
    .describe('Why it would not be used.'),
  expected_cost_usd: decimal.nullable().describe('`null` if no price is known.'),
  chance: decimal.nullable().describe('Chance of a good answer, if the route predicts it.'),
  health,
});

export type CandidateJson = Written<typeof candidate>;

export const refusal = z.object({
  status: count,
  code: text.nullable(),
  type: text,
  message: text,
  param: text.nullable(),
  retry_after_ms: decimal.nullable(),
});

const features = z.array(z.object({ target: text, features: z.array(z.object({ name: text, weight: decimal })) }));

export const routeDecision = named(
  'RouteDecision',
  z.object({
    object: z.literal('route.decision'),
    route: text.nullable().describe('`null` if a vendor’s model was named.'),
    direct: flag.describe('The call names a vendor’s model, so no route decides.'),
    strategy: z.array(text),
    route_version: text.nullable(),
    model_version: text.nullable().describe('The learned model that predicted the chances, if there was one.'),
    order: calledTargets.describe('The targets in the order of attempts; empty if the call would be refused.'),
    context_window_fallbacks: calledTargets.describe('Used if the prompt is too long for a target.'),
    content_policy_fallbacks: calledTargets.describe('Used if a target refuses the content.'),
    candidates: z.array(candidate),
    because: z.array(text).describe('What determined the order.'),
    kept: flag.describe('The conversation stays where its cache is warm.'),
    explored: flag.describe('The first was drawn at random, so that feedback covers all targets.'),
    propensity: decimal.describe('The probability with which the first was drawn.'),
    traits: z.looseObject({}).nullable().describe('How the call was classified.'),
    unpriced: z
      .array(text)
      .describe(
        'Targets without a price: `unpriced` of the route says whether they serve calls under a budget or spend limit.',
      ),
    refusal: refusal.nullable().describe('The error that the call would get; `null` if it would be sent.'),
    features: features
      .exactOptional()
      .describe('The features of the prompt that decided, by target, if the route predicts.'),
  }),
);

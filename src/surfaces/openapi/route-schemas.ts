import { ERROR_KINDS } from '../../core/errors.ts';
import { LEFT_OUT_REASONS } from '../../core/route.ts';
import type { TargetStatus } from '../../core/target-status.ts';
import {
  BOOLEAN,
  COUNT,
  described,
  list,
  NUMBER,
  object,
  oneOf,
  openObject,
  orNull,
  ref,
  type Schema,
  SECONDS,
  STRING,
} from './schema.ts';

const CIRCUITS: Record<TargetStatus['circuit'], true> = { closed: true, half_open: true, open: true };
const CIRCUIT = described(
  oneOf(...Object.keys(CIRCUITS)),
  '`closed`: calls go there; `open`: none do; `half_open`: one may, to find out.',
);
const UNTIL = described(orNull(SECONDS), 'Unix time in seconds from which calls may go there again.');
const MAYBE_NUMBER = orNull(NUMBER);
const CREDENTIAL = {
  credential: described(STRING, 'Which of the provider’s credentials: shown to administrators’ keys only.'),
};
const PLACE = { model: described(STRING, 'The route’s name for it.'), provider: STRING, upstream_model: STRING };
const PLACES = list(object(PLACE, CREDENTIAL));

const HEALTH = object({
  circuit: CIRCUIT,
  open_until: UNTIL,
  credential_out_until: UNTIL,
  first_token_ms: described(MAYBE_NUMBER, 'Of streams; `null` where none came of late.'),
  whole_ms: described(MAYBE_NUMBER, 'Of answers that are not streamed, likewise.'),
  in_flight: COUNT,
});

const REFUSAL = object({
  status: COUNT,
  code: orNull(STRING),
  type: STRING,
  message: STRING,
  param: orNull(STRING),
  retry_after_ms: MAYBE_NUMBER,
});

const FEATURES = list(object({ target: STRING, features: list(object({ name: STRING, weight: NUMBER })) }));

/** What tells how calls are decided, and how those do who may serve them. */
export const ROUTE_SCHEMAS: Readonly<Record<string, Schema>> = {
  RouteDecision: object(
    {
      object: { const: 'route.decision' },
      route: described(orNull(STRING), '`null` where a vendor’s model was named.'),
      direct: described(BOOLEAN, 'The call names a vendor’s model: no route decides.'),
      strategy: list(STRING),
      route_version: orNull(STRING),
      model_version: described(orNull(STRING), 'Of what predicted the chances, where something did.'),
      order: described(PLACES, 'Who would be asked, in this order; nobody where the call would be refused.'),
      context_window_fallbacks: described(PLACES, 'Asked where a target says that the prompt is too long for it.'),
      content_policy_fallbacks: described(PLACES, 'Asked where a target refuses the content.'),
      candidates: list(
        object(
          {
            ...PLACE,
            role: oneOf('target', 'fallback', 'context_fallback', 'policy_fallback'),
            left_out: described(
              orNull(object({ reason: oneOf(...LEFT_OUT_REASONS), detail: STRING })),
              'Why it would not be asked.',
            ),
            expected_cost_usd: described(MAYBE_NUMBER, '`null` where no price is known.'),
            chance: described(MAYBE_NUMBER, 'Of a good answer, where the route predicts it.'),
            health: HEALTH,
          },
          CREDENTIAL,
        ),
      ),
      because: described(list(STRING), 'What the order came of.'),
      kept: described(BOOLEAN, 'The conversation stays where its cache is warm.'),
      explored: described(BOOLEAN, 'The first was drawn, so that feedback tells of all.'),
      propensity: described(NUMBER, 'The chance with which the first came first.'),
      traits: described(orNull(openObject({})), 'What the call was taken to be.'),
      refusal: described(orNull(REFUSAL), 'The error that the call would get; `null` where it would be sent.'),
    },
    { features: described(FEATURES, 'What of the prompt decided, by target; of routes that predict.') },
  ),
  Status: object({
    object: { const: 'status' },
    process: object({
      version: STRING,
      uptime_seconds: COUNT,
      open_calls: COUNT,
      workers: described(COUNT, 'Processes that serve.'),
      silent_workers: described(COUNT, 'Those of them that did not answer in time; they are not in the sums.'),
    }),
    targets: described(list(ref('TargetStatus')), 'Those behind a route, and those that were called.'),
  }),
  TargetStatus: described(
    object({
      provider: STRING,
      model: described(STRING, 'The vendor’s name for it.'),
      credential: STRING,
      circuit: CIRCUIT,
      open_until: UNTIL,
      credential_out_until: described(orNull(SECONDS), 'The same for its credential, where the vendor refused that.'),
      p50_ms: described(MAYBE_NUMBER, 'Time to the first token of the last 200 streams.'),
      p95_ms: MAYBE_NUMBER,
      whole_p50_ms: described(MAYBE_NUMBER, 'Time to the end of the last 200 answers that were not streamed.'),
      whole_p95_ms: MAYBE_NUMBER,
      error_rate: described(MAYBE_NUMBER, 'The part of `recent_calls` that failed, 0 to 1.'),
      recent_calls: described(COUNT, 'Calls that ended within `breaker.window`.'),
      in_flight: COUNT,
      last_error: orNull(
        object({ kind: oneOf(...Object.keys(ERROR_KINDS)), status: COUNT, message: STRING, at: SECONDS }),
      ),
    }),
    'Of several workers: the worst circuit, the sums of calls, and the longest of their times.',
  ),
};

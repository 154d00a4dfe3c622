import type { CandidateJson, calledTargets, namedTarget, refusal, routeDecision } from '../api/route-decision.ts';
import type { Written } from '../api/schema.ts';
import type { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import type { Decision, DecisionCandidate, Route, TargetHealth } from '../core/route.ts';
import type { ExplainedNow } from '../pipeline/explain.ts';
import { decisionJson } from './decision.ts';

const NANO = 1e9;

/**
 * How a call would be decided, as callers read it. Amounts are dollars, times Unix seconds.
 *
 * @param credentials - true if the names of credentials and hidden targets are shown, which only operators may see
 */
export function explainedJson(explained: ExplainedNow, credentials: boolean): Written<typeof routeDecision> {
  if (explained.kind === 'direct') return directJson(explained, credentials);
  const { refusal, entry, spoken } = explained;
  const decision = credentials || entry.route.disclose ? explained.decision : undisclosed(explained.decision);
  const placesOf = (order: readonly number[], targets: readonly Target[]) =>
    listed(
      order.map((index, place) => ({
        ...targetJson(decision.candidates[index]!, credentials),
        ...placeJson(targets[place]!, explained, credentials),
      })),
    );
  return {
    object: 'route.decision',
    route: decision.route,
    direct: false,
    strategy: entry.route.strategy.map(({ kind }) => kind),
    route_version: decision.routeVersion,
    model_version: decision.modelVersion,
    order: placesOf(decision.order, spoken.order),
    context_window_fallbacks: placesOf(decision.contextOrder, spoken.contextOrder),
    content_policy_fallbacks: placesOf(decision.policyOrder, spoken.policyOrder),
    candidates: decision.candidates.map((candidate) => candidateJson(candidate, credentials)),
    because: decision.because,
    kept: decision.kept,
    explored: decision.explored,
    propensity: decision.propensity,
    traits: traitsJson(decision),
    unpriced: unpricedIn(decision, entry.route),
    refusal: refusal === null ? null : refusalJson(refusal),
  };
}

/** The names of targets without a price. */
function unpricedIn({ candidates }: Decision, { price }: Route): string[] {
  const isUnpriced = ({ leftOut, expectedCost }: DecisionCandidate) =>
    leftOut?.reason === 'unpriced' ||
    (price === null && expectedCost === null && leftOut?.reason !== 'unknown_model' && leftOut?.reason !== 'surface');
  return [...new Set(candidates.filter(isUnpriced).map(({ model }) => model))];
}

/** The parts of a decision that reveal nothing about hidden targets. */
function undisclosed(decision: Decision): Decision {
  return {
    ...decision,
    candidates: [],
    order: [],
    contextOrder: [],
    policyOrder: [],
    because: ['The route does not disclose its targets.'],
  };
}

/** A call that names a vendor's model: only the credential is decided. */
function directJson(
  explained: Extract<ExplainedNow, { kind: 'direct' }>,
  credentials: boolean,
): Written<typeof routeDecision> {
  const { entry, targets } = explained;
  const { id } = entry;
  const places = targets.map((target) => {
    const { provider, model } = target;
    const named = { model: id, provider: provider.id, upstreamModel: model.upstreamId };
    return {
      ...targetJson({ ...named, credential: provider.credentialName }, credentials),
      ...placeJson(target, explained, credentials),
    };
  });
  const [first] = places;
  return {
    object: 'route.decision',
    route: null,
    direct: true,
    strategy: [],
    route_version: null,
    model_version: null,
    order: listed(places),
    context_window_fallbacks: [],
    content_policy_fallbacks: [],
    candidates: [],
    because: [`\`${id}\` is a model of ${first?.provider}. The call goes there directly, and no route decides.`],
    kept: false,
    explored: false,
    propensity: 1,
    traits: null,
    unpriced: [],
    refusal: null,
  };
}

type NamedTarget = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'credential'>;
type TargetJson = Written<typeof namedTarget>;
type CalledTargetJson = Written<typeof calledTargets>[number];

function targetJson({ model, provider, upstreamModel, credential }: NamedTarget, credentials: boolean): TargetJson {
  return { model, provider, upstream_model: upstreamModel, ...(credentials && { credential }) };
}

function placeJson(
  target: Target,
  { fullUntil }: Pick<ExplainedNow, 'fullUntil'>,
  isAdmin: boolean,
): Pick<CalledTargetJson, 'dialect' | 'full_until'> {
  return { dialect: target.dialect, ...(isAdmin && { full_until: secondsOf(fullUntil(target)) }) };
}

/** Without the names of credentials, several targets look the same. */
function listed(places: readonly CalledTargetJson[]): CalledTargetJson[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function candidateJson(candidate: DecisionCandidate, credentials: boolean): CandidateJson {
  const { role, leftOut, expectedCost, chance, health } = candidate;
  return {
    ...targetJson(candidate, credentials),
    role,
    left_out: leftOut,
    expected_cost_usd: expectedCost === null ? null : expectedCost / NANO,
    chance,
    health: healthJson(health),
  };
}

function healthJson(health: TargetHealth): CandidateJson['health'] {
  return {
    circuit: health.circuit,
    open_until: secondsOf(health.openUntil),
    credential_out_until: secondsOf(health.credentialOutUntil),
    first_token_ms: health.firstTokenMs,
    whole_ms: health.wholeMs,
    in_flight: health.inFlight,
  };
}

/** The first Unix second after a moment (Unix ms). */
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / 1000);
}

/**
 * What the route knew of the call, without the key's models, which are not for the caller, and the hashed features,
 * which are not readable.
 */
function traitsJson(decision: Decision): Record<string, unknown> {
  const { allowed_models, features, at, ...traits } = decisionJson(decision, true).traits as Record<string, unknown>;
  return { at: Math.floor(decision.traits.at / 1000), ...traits };
}

function refusalJson({ status, code, type, message, param, retryAfterMs }: GatewayError): Written<typeof refusal> {
  return { status, code, type, message, param, retry_after_ms: retryAfterMs ?? null };
}

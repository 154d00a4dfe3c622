import type { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import type { Decision, DecisionCandidate, TargetHealth } from '../core/route.ts';
import type { Explained } from '../pipeline/explain.ts';
import { decisionJson } from './decision.ts';

const NANO = 1e9;

/**
 * How a call would be decided, as callers read it. Amounts are in dollars, times Unix seconds.
 *
 * @param credentials whether the operator's names for its credentials are shown
 */
export function explainedJson(explained: Explained, credentials: boolean): Record<string, unknown> {
  if (explained.kind === 'direct') return directJson(explained.entry.id, explained.targets, credentials);
  const { decision, refusal, entry } = explained;
  const placesOf = (order: readonly number[]) =>
    listed(order.map((index) => placeJson(decision.candidates[index]!, credentials)));
  return {
    object: 'route.decision',
    route: decision.route,
    direct: false,
    strategy: entry.route.strategy.map(({ kind }) => kind),
    route_version: decision.routeVersion,
    model_version: decision.modelVersion,
    order: placesOf(decision.order),
    context_window_fallbacks: placesOf(decision.contextOrder),
    content_policy_fallbacks: placesOf(decision.policyOrder),
    candidates: decision.candidates.map((candidate) => candidateJson(candidate, credentials)),
    because: decision.because,
    kept: decision.kept,
    explored: decision.explored,
    propensity: decision.propensity,
    traits: traitsJson(decision),
    refusal: refusal === null ? null : refusalJson(refusal),
  };
}

/** A call that names a vendor's model: there is nothing to decide, but with which credential. */
function directJson(id: string, targets: readonly Target[], credentials: boolean): Record<string, unknown> {
  const places = targets.map(({ provider, model }) => ({
    model: id,
    provider: provider.id,
    upstreamModel: model.upstreamId,
    credential: provider.credentialName,
  }));
  const [first] = places;
  return {
    object: 'route.decision',
    route: null,
    direct: true,
    strategy: [],
    route_version: null,
    model_version: null,
    order: listed(places.map((place) => placeJson(place, credentials))),
    context_window_fallbacks: [],
    content_policy_fallbacks: [],
    candidates: [],
    because: [`\`${id}\` is a model of ${first?.provider}: the call goes there directly, and no route decides.`],
    kept: false,
    explored: false,
    propensity: 1,
    traits: null,
    refusal: null,
  };
}

type Place = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'credential'>;
type PlaceJson = { model: string; provider: string; upstream_model: string; credential?: string };

function placeJson({ model, provider, upstreamModel, credential }: Place, credentials: boolean): PlaceJson {
  return { model, provider, upstream_model: upstreamModel, ...(credentials && { credential }) };
}

/** Without the names of credentials several places look like one. */
function listed(places: readonly PlaceJson[]): PlaceJson[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function candidateJson(candidate: DecisionCandidate, credentials: boolean): Record<string, unknown> {
  const { role, leftOut, expectedCost, chance, health } = candidate;
  return {
    ...placeJson(candidate, credentials),
    role,
    left_out: leftOut,
    expected_cost_usd: expectedCost === null ? null : expectedCost / NANO,
    chance,
    health: healthJson(health),
  };
}

function healthJson(health: TargetHealth): Record<string, unknown> {
  return {
    circuit: health.circuit,
    open_until: secondsOf(health.openUntil),
    credential_out_until: secondsOf(health.credentialOutUntil),
    first_token_ms: health.firstTokenMs,
    whole_ms: health.wholeMs,
    in_flight: health.inFlight,
  };
}

/** Unix seconds by which a moment (Unix ms) is past. */
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / 1000);
}

/** What the call was taken to be. Which models a key may use is not the route's to tell; hashed features tell nobody anything. */
function traitsJson(decision: Decision): Record<string, unknown> {
  const { allowed_models, features, at, ...traits } = decisionJson(decision, true).traits as Record<string, unknown>;
  return { at: Math.floor(decision.traits.at / 1000), ...traits };
}

function refusalJson({ status, code, type, message, param, retryAfterMs }: GatewayError): Record<string, unknown> {
  return { status, code, type, message, param, retry_after_ms: retryAfterMs ?? null };
}

import type { GatewayError } from '../core/errors.ts';
import type { DialectId, Directory, Target } from '../core/provider.ts';
import type { Decision, DecisionCandidate, Route } from '../core/route.ts';
import { HEALTHY } from '../health/healthy.ts';
import type { Scorer } from '../learning/scorer.ts';
import { candidatesOf } from './candidates.ts';
import { type Weighed, weigh } from './decide.ts';
import { isInRoute } from './steering.ts';

/** The route, directory and scorer to replay a decision with: current, former or drafted ones. */
export type ReplayWith = {
  route: Route;
  directory: Directory;
  dialects: readonly DialectId[];
  /** The scorer that was or would be asked. */
  scorer: Scorer | null;
};

/** The first target of a decision. */
export type ReplayOutcome = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'expectedCost' | 'chance'>;

export type Change = {
  /** `null` if no target could serve it. */
  before: ReplayOutcome | null;
  after: ReplayOutcome | null;
  /** True if the model or its provider changes. */
  moved: boolean;
  /** Why no target would serve it. */
  refusal: GatewayError | null;
};

/**
 * Replays a decision from its record: its call, its targets' health, its seed. With the same route, directory
 * and scorer the result is the same. Targets that it did not include count as healthy.
 * Throws `GatewayError` if its steering names models that this route does not have.
 */
export function replay(decision: Decision, { route, directory, dialects, scorer }: ReplayWith): Weighed {
  const known = new Map(decision.candidates.map((candidate) => [nameOf(candidate), candidate.health]));
  return weigh({
    route,
    candidates: candidatesOf(route, directory, dialects),
    traits: decision.traits,
    health: (target) => known.get(targetName(target)) ?? HEALTHY,
    scorer,
    seed: decision.seed,
    warm: decision.warm,
  });
}

/**
 * What another definition of the route would decide for a call. A refusal is returned, not thrown; models that the
 * caller named and the route does not have are ignored.
 */
export function replayWith(decision: Decision, draft: ReplayWith): Change {
  const before = firstOf(decision);
  const { decision: drafted, refusal } = replay(withKnownModels(decision, draft), draft);
  const after = refusal === null ? firstOf(drafted) : null;
  return { before, after, moved: !isSame(before, after), refusal };
}

/** Removes named models that the draft does not have. */
function withKnownModels(decision: Decision, { route, directory, dialects }: ReplayWith): Decision {
  const { traits } = decision;
  const models = traits.steering?.models ?? null;
  if (models === null) return decision;
  const candidates = candidatesOf(route, directory, dialects);
  const known = models.filter((name) => isInRoute(name, candidates));
  return { ...decision, traits: { ...traits, steering: { ...traits.steering!, models: known } } };
}

function firstOf({ candidates, order }: Decision): ReplayOutcome | null {
  const first = order.length === 0 ? undefined : candidates[order[0]!];
  if (first === undefined) return null;
  const { model, provider, upstreamModel, expectedCost, chance } = first;
  return { model, provider, upstreamModel, expectedCost, chance };
}

function isSame(one: ReplayOutcome | null, other: ReplayOutcome | null): boolean {
  return one?.provider === other?.provider && one?.upstreamModel === other?.upstreamModel;
}

function nameOf({ provider, upstreamModel, credential }: DecisionCandidate): string {
  return JSON.stringify([provider, upstreamModel, credential]);
}

function targetName({ provider, model }: Target): string {
  return JSON.stringify([provider.id, model.upstreamId, provider.credentialName]);
}

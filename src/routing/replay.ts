import type { GatewayError } from '../core/errors.ts';
import type { DialectId, Directory, Target } from '../core/provider.ts';
import type { Decision, DecisionCandidate, Route } from '../core/route.ts';
import { WELL } from '../health/well.ts';
import type { Scorer } from '../learning/scorer.ts';
import { candidatesOf } from './candidates.ts';
import { type Weighed, weigh } from './decide.ts';
import { isInRoute } from './steering.ts';

/** What a decision is made again with: how the route is now, or was, or would be. */
export type ReplayWith = {
  route: Route;
  directory: Directory;
  dialects: readonly DialectId[];
  /** The one that was asked, or would be. */
  scorer: Scorer | null;
};

/** What came first, or would. */
export type ReplayOutcome = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'expectedCost' | 'chance'>;

export type Change = {
  /** `null` where no target could serve it. */
  before: ReplayOutcome | null;
  after: ReplayOutcome | null;
  /** Another model, or another provider of it. */
  moved: boolean;
  /** Why no target would serve it. */
  refusal: GatewayError | null;
};

/**
 * Makes a decision again from what is kept of it: its call, its targets' health, its seed. With the same route, directory
 * and scorer it comes out the same. A target that it did not have is taken to be well.
 * Throws `GatewayError` where its steering names what this route does not have.
 */
export function replay(decision: Decision, { route, directory, dialects, scorer }: ReplayWith): Weighed {
  const known = new Map(decision.candidates.map((candidate) => [nameOf(candidate), candidate.health]));
  return weigh({
    route,
    candidates: candidatesOf(route, directory, dialects),
    traits: decision.traits,
    health: (target) => known.get(targetName(target)) ?? WELL,
    scorer,
    seed: decision.seed,
    warm: decision.warm,
  });
}

/**
 * What another definition of the route would have made of a call. A call it could not serve is told, not thrown; models
 * that the caller named and it does not have are as good as not named.
 */
export function replayWith(decision: Decision, draft: ReplayWith): Change {
  const before = firstOf(decision);
  const { decision: drafted, refusal } = replay(withKnownModels(decision, draft), draft);
  const after = refusal === null ? firstOf(drafted) : null;
  return { before, after, moved: !isSame(before, after), refusal };
}

/** A draft need not have what callers of the present route may name. */
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

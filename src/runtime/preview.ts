import type { RouteMember } from '../core/known-route.ts';
import type { Storage } from '../core/ports.ts';
import type { DialectId, Directory } from '../core/provider.ts';
import type { ReplayedCall } from '../core/replay.ts';
import type { Decision, Route } from '../core/route.ts';
import { DIALECTS } from '../dialects/built.ts';
import { BUILT_DIALECT_IDS } from '../dialects/ids.ts';
import { LiveModels } from '../learning/live-models.ts';
import { choicesOf } from '../pipeline/planner.ts';
import { candidatesOf } from '../routing/candidates.ts';
import { replayWith } from '../routing/replay.ts';

/** All targets and fallbacks of a route. */
export function routeTargetsOf(route: Route, directory: Directory): RouteMember[] {
  return candidatesOf(route, directory, BUILT_DIALECT_IDS).all.map((candidate) => {
    const { model, role, provider, upstreamModel, credential, target, missing } = candidate;
    return { model, role, provider, upstreamModel, credential, price: target?.model.price ?? null, missing };
  });
}

/** Replays past calls with a draft of their route. Smart routes use the model that is live now. */
export async function replayerOf(
  { models, routes }: Storage,
  draft: Route,
  directory: Directory,
): Promise<(decision: Decision) => ReplayedCall> {
  const live = new LiveModels({
    models,
    routes,
    smartRoutes: () => (draft.smart === null ? [] : [draft]),
    onError(error) {
      throw error;
    },
  });
  await live.look();
  const scorer = draft.smart === null ? null : live.of(draft.id).scorer;
  const choices = new Map<DialectId, readonly DialectId[]>(
    DIALECTS.map((dialect) => [dialect.id, choicesOf(dialect, DIALECTS)]),
  );
  return (decision) => {
    const { surface } = decision.traits;
    return replayWith(decision, { route: draft, directory, dialects: choices.get(surface) ?? [surface], scorer });
  };
}

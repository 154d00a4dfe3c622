import type { Change, Place } from './cli/toolbox.ts';
import { LiveModels } from './control/learning/live-models.ts';
import type { Storage } from './core/ports.ts';
import type { DialectId, Directory } from './core/provider.ts';
import type { Decision, Route } from './core/route.ts';
import { BUILT_DIALECT_IDS, DIALECTS } from './dialects/built.ts';
import { choicesOf } from './pipeline/choices.ts';
import { candidatesOf } from './routing/candidates.ts';
import { replayWith } from './routing/replay.ts';

/** All that a route may send calls to, whatever they are. */
export function placesOf(route: Route, directory: Directory): Place[] {
  return candidatesOf(route, directory, BUILT_DIALECT_IDS).all.map((candidate) => {
    const { model, role, provider, upstreamModel, credential, target, missing } = candidate;
    return { model, role, provider, upstreamModel, credential, price: target?.model.price ?? null, missing };
  });
}

/** Decides past calls anew by a draft of their route; a smart one asks the model that is live now. */
export async function replayerOf(
  { models, routes }: Storage,
  draft: Route,
  directory: Directory,
): Promise<(decision: Decision) => Change> {
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

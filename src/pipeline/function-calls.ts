import { parametersOf } from '../core/parameters.ts';
import type { DialectId, Target } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import type { FailoverPlan } from '../routing/failover.ts';
import { targetAt } from '../routing/plan.ts';
import { envelopeWith } from './translation/own-parameters.ts';

/** Targets in the dialect that takes functions, by the same targets in the caller's: made once for each. */
const elsewhere = new WeakMap<Target, Target>();

/**
 * The plan with calls of functions sent in a richer dialect to models that refuse them in the caller's, unless they are told not
 * to think. `richer`: the other dialects that the call can be written in, the best first.
 */
export function withFunctionsServed<Plan extends FailoverPlan & { route: Route | null }>(
  plan: Plan,
  asked: Dialect,
  envelope: Envelope,
  richer: readonly DialectId[],
): Plan {
  const refusesHere = (target: Target) =>
    target.dialect === asked.id &&
    refusesFunctions(target, envelopeWith(asked, envelope, parametersOf(plan.route, target.model)));
  const { targets, contextTargets, policyTargets } = plan;
  if (![targets, contextTargets, policyTargets].some((list) => list.some(refusesHere))) return plan;
  if (asked.inbound.callsFunctions?.(envelope) !== true) return plan;
  const moved = (list: readonly Target[]) =>
    list.map((target) => (refusesHere(target) ? inRicher(target, richer) : target));
  return {
    ...plan,
    targets: moved(targets),
    contextTargets: moved(contextTargets),
    policyTargets: moved(policyTargets),
  };
}

/** Whether the model takes functions only where it does not think. An effort that is not said is one. */
function refusesFunctions({ provider, model }: Target, { effort }: Envelope): boolean {
  const { thinksOrCalls, thinking = [] } = provider.quirks;
  if (thinksOrCalls === undefined) return false;
  const name = model.upstreamId.toLowerCase();
  if (!thinksOrCalls.models.test(name)) return false;
  return effort !== 'none' || thinking.find(({ models }) => models.test(name))?.efforts.includes('none') !== true;
}

function inRicher(target: Target, richer: readonly DialectId[]): Target {
  const known = elsewhere.get(target);
  if (known !== undefined) return known;
  const moved = targetAt(target.provider, target.model, richer) ?? target;
  elsewhere.set(target, moved);
  return moved;
}

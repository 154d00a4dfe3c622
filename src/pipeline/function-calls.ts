import { parametersOf } from '../core/parameters.ts';
import type { DialectId, Target } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import { type FailoverPlan, hasTarget } from '../routing/failover.ts';
import { targetAt } from '../routing/plan.ts';
import { envelopeWith } from './translation/own-parameters.ts';

/** Targets in the dialect that accepts functions, by the same targets in the caller's dialect; each is made once. */
const elsewhere = new WeakMap<Target, Target>();

/**
 * The plan with calls that declare functions sent in a richer dialect to models that refuse functions with thinking in
 * the caller's. Calls that ask the vendor to search for tools always go there. `dialects`: those in which the call can
 * be written, the caller's first.
 */
export function withFunctionsServed<Plan extends FailoverPlan & { route: Route | null }>(
  plan: Plan,
  asked: Dialect,
  envelope: Envelope,
  dialects: readonly DialectId[],
): Plan {
  const isStrict = (target: Target) => target.dialect === asked.id && thinksOrCalls(target);
  if (!hasTarget(plan, isStrict)) return plan;
  // Such a search is known to the richer dialect alone, however much the model thinks.
  const isSearch = asked.inbound.searchesTools?.(envelope) === true;
  if (!isSearch && asked.inbound.callsFunctions?.(envelope) !== true) return plan;
  const thinks = (target: Target) =>
    mayThink(target, envelopeWith(asked, envelope, parametersOf(plan.route, target.model)));
  const refusesHere = (target: Target) => isStrict(target) && (isSearch || thinks(target));
  const richer = dialects.slice(1);
  const moved = (list: readonly Target[]) =>
    list.map((target) => (refusesHere(target) ? inRicher(target, richer) : target));
  return {
    ...plan,
    targets: moved(plan.targets),
    contextTargets: moved(plan.contextTargets),
    policyTargets: moved(plan.policyTargets),
  };
}

/** Whether the model accepts functions only without thinking. */
function thinksOrCalls({ provider, model }: Target): boolean {
  return provider.quirks.thinksOrCalls?.models.test(model.upstreamId.toLowerCase()) === true;
}

/** Whether the model may think. Without an effort it may. */
function mayThink({ provider, model }: Target, { effort }: Envelope): boolean {
  const { thinking = [] } = provider.quirks;
  const name = model.upstreamId.toLowerCase();
  return effort !== 'none' || thinking.find(({ models }) => models.test(name))?.efforts.includes('none') !== true;
}

function inRicher(target: Target, richer: readonly DialectId[]): Target {
  const known = elsewhere.get(target);
  if (known !== undefined) return known;
  const moved = targetAt(target.provider, target.model, richer) ?? target;
  elsewhere.set(target, moved);
  return moved;
}

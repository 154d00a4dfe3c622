import { maySee } from '../core/access.ts';
import type { GatewayError } from '../core/errors.ts';
import { fullUntil, outgoingRatesOf } from '../core/outgoing-rates.ts';
import type { Clock, RateLimiter } from '../core/ports.ts';
import type { CatalogEntry, Directory, RouteEntry, Target, VendorEntry } from '../core/provider.ts';
import type { CallSummary, Decision } from '../core/route.ts';
import { type OutgoingRateStatus, type TargetStatus, targetName, UNCALLED } from '../core/target-status.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import type { Health } from '../health/health.ts';
import { candidatesOf } from '../routing/candidates.ts';
import { weigh } from '../routing/decide.ts';
import { findEntry, wrongSurface } from '../routing/plan.ts';
import type { Planner, PlanRequest } from './planner.ts';

/** What would happen to a call now. */
export type Explained = Direct | RoutedExplanation;

/** `fullUntil`: until when (Unix ms) a target is skipped because its rate is exhausted. */
export type ExplainedNow = Explained & { fullUntil(target: Target): number | null };

/** The caller names a vendor's model, so no route decides. */
type Direct = { kind: 'direct'; entry: VendorEntry; targets: readonly Target[] };

/** The targets of a decision in the dialects that they are called in, in the order of each list. */
export type SpokenTargets = Record<'order' | 'contextOrder' | 'policyOrder', readonly Target[]>;

/** `refusal`: why no target would serve the call. `summary`: the call's, to find out which of its words decided. */
type RoutedExplanation = {
  kind: 'routed';
  entry: RouteEntry;
  decision: Decision;
  spoken: SpokenTargets;
  refusal: GatewayError | null;
  summary: CallSummary;
};

/**
 * Decides as for a real call, without calling anyone. Callers who may see a route but not call it may also use this.
 * Throws `GatewayError`: 404 or 403 for the model, 400 for errors in the call itself.
 */
export function explainCall(planner: Planner, call: PlanRequest, envelope: Envelope, directory: Directory): Explained {
  const { asked } = call;
  const entry = entryFor(call, envelope.model, directory);
  if (entry.origin !== 'vendor') {
    const summary = asked.inbound.summarize(envelope);
    const routed = planner.versionFor({ entry, call, envelope, directory, summary });
    const { decision, refusal } = weigh(routed.input);
    const targetsOf = (order: readonly number[]) => order.map((index) => routed.input.candidates.all[index]!.target!);
    const plan = planner.spoken(
      {
        route: routed.input.route,
        targets: targetsOf(decision.order),
        contextTargets: targetsOf(decision.contextOrder),
        policyTargets: targetsOf(decision.policyOrder),
      },
      asked,
      envelope,
    );
    const spoken = { order: plan.targets, contextOrder: plan.contextTargets, policyOrder: plan.policyTargets };
    return { kind: 'routed', entry: routed.entry, decision, spoken, refusal, summary };
  }
  const targets = planner.drawTargets(entry, asked);
  if (targets.length === 0) throw wrongSurface({ model: envelope.model, label: asked.label });
  const plan = planner.spoken({ route: null, targets, contextTargets: [], policyTargets: [] }, asked, envelope);
  return { kind: 'direct', entry, targets: plan.targets };
}

function entryFor({ asked, caller: { key } }: PlanRequest, model: string, directory: Directory): CatalogEntry {
  const entry = directory.find(model);
  if (entry !== undefined && maySee(key, entry, model, directory)) return entry;
  return findEntry({ model, label: asked.label, key }, directory);
}

/** The targets of all routes, called or not, then other targets that were called. */
export function targetStatuses(health: Health, directory: Directory, dialects: readonly Dialect[]): TargetStatus[] {
  const called = new Map(health.status().map((status) => [targetName(status), status]));
  const ids = dialects.map(({ id }) => id);
  const statuses = new Map<string, TargetStatus>();
  for (const entry of directory.entries) {
    if (entry.origin === 'vendor') continue;
    for (const { target, provider, upstreamModel, credential } of candidatesOf(entry.route, directory, ids).all) {
      if (target === null) continue;
      const name = targetName({ provider, upstreamModel, credential });
      statuses.set(name, called.get(name) ?? { ...UNCALLED, provider, upstreamModel, credential });
    }
  }
  return [...new Map([...statuses, ...called]).values()];
}

/** The rates of all that can be called, each once. */
export function outgoingStatuses(
  directory: Directory,
  limiter: Pick<RateLimiter, 'outgoing'>,
  clock: Pick<Clock, 'now'>,
): OutgoingRateStatus[] {
  const now = clock.now();
  const uses = limiter.outgoing();
  const rates = directory.entries.flatMap((entry) =>
    entry.origin === 'vendor'
      ? entry.accesses.flatMap(({ provider }) => outgoingRatesOf({ provider, model: entry.model }))
      : [],
  );
  return [...new Map(rates.map((rate) => [rate.id, rate])).values()].map((rate) => {
    const { passedOver = 0, fullAt = null, fullUntil: end = 0 } = uses.get(rate.id) ?? {};
    const { provider, credential, model, requestsPerMinute, tokensPerMinute } = rate;
    return {
      ...{ provider, credential, model, requestsPerMinute, tokensPerMinute, passedOver, fullAt },
      fullUntil: end > now ? end : null,
    };
  });
}

/**
 * A function that returns until when (Unix ms) a target is skipped because its rate is exhausted; `null` if it is not.
 */
export function fullness(limiter: Pick<RateLimiter, 'outgoing'>, clock: Pick<Clock, 'now'>) {
  return (target: Target) => fullUntil(target, limiter.outgoing(), clock.now());
}

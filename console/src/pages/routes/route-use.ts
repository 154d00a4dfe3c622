import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useRead } from '../../api/use.ts';
import type { ListedRoute } from './routes.tsx';

type Sums = Answer<'summarizeUsage'>['totals'];
type Model = Answer<'listCatalog'>['data'][number];
type Used = Omit<Sums, 'previous'>;

/** What was used of a route in the last 30 days. `null`: nothing, or it is not known. */
export type RouteUse = {
  calls: number;
  costUsd: number | null;
  /** Of all calls (0 to 1). */
  share: number | null;
  /** Of its own calls, those that took more than one attempt (0 to 1). */
  retried: number;
  /** What the same tokens cost at the list price of its dearest target, in dollars; what a cache saves is not looked at. */
  dearestUsd: number | null;
};

/** By the ids of routes, what was used of them. */
export function useRouteUse(): (route: ListedRoute) => RouteUse | null {
  const { may } = useSession();
  const usage = useRead('summarizeUsage', { query: { by: 'route', limit: 1000 } }, { enabled: may('api.usage.read') });
  const catalog = useRead('listCatalog');
  const models = new Map((catalog.data?.data ?? []).flatMap((model) => namesOf(model).map((name) => [name, model])));
  const all = usage.data?.totals.calls ?? 0;
  return ({ id, targets }) => {
    const used = usage.data?.data.find(({ route }) => route === id);
    if (used === undefined) return null;
    return {
      calls: used.calls,
      costUsd: used.cost_usd,
      share: all === 0 ? null : used.calls / all,
      retried: used.calls === 0 ? 0 : used.retried_calls / used.calls,
      dearestUsd: dearestOf(
        used,
        targets.map((target) => models.get(target)),
      ),
    };
  };
}

function namesOf({ id, provider, aliases }: Model): string[] {
  return [id, `${provider}/${id}`, ...aliases];
}

/** `null` where the price of a target is not known: it may be the dearest. */
function dearestOf(used: Used, targets: readonly (Model | undefined)[]): number | null {
  if (used.calls_without_cost > 0) return null;
  const costs = targets.map((target) => {
    const { input_per_1m: input = null, output_per_1m: output = null } = target?.pricing ?? {};
    return input === null || output === null ? null : (used.input_tokens * input + used.output_tokens * output) / 1e6;
  });
  return costs.length === 0 || costs.includes(null) ? null : Math.max(...(costs as number[]));
}

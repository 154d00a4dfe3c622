import type { Directory, RouteEntry, VendorEntry } from '../core/provider.ts';
import type { Decision } from '../core/route.ts';
import type { UnpricedTargets } from '../core/unpriced.ts';
import { modelEntry } from './candidates.ts';
import { costRates } from './expected-cost.ts';

/** The routes with targets that hard budgets and spend limits exclude for lack of a price. */
export function unpricedTargets(directory: Pick<Directory, 'entries' | 'find'>): UnpricedTargets[] {
  return directory.entries.flatMap((entry) => {
    if (entry.origin === 'vendor') return [];
    const versions = entry.canary === undefined ? [entry] : [entry, entry.canary.entry];
    const [first, ...others] = versions.flatMap((version) => unpricedIn(version, directory));
    if (first === undefined) return [];
    const models = new Set([first, ...others].flatMap((each) => each.models));
    return [{ ...first, models: [...models] }];
  });
}

/** For one version of the route. A route with its own price leaves out none. */
function unpricedIn({ id, route }: RouteEntry, directory: Pick<Directory, 'entries' | 'find'>): UnpricedTargets[] {
  const { unpriced, price, targets, fallbacks, contextFallbacks, policyFallbacks } = route;
  if (unpriced === 'serve' || price !== null) return [];
  const named = [...targets, ...fallbacks, ...contextFallbacks, ...policyFallbacks].filter(({ weight }) => weight > 0);
  const served = [...new Set(named.map(({ model }) => model))].flatMap((name) => {
    const entry = modelEntry(name, directory);
    return entry === null ? [] : [{ name, isPriced: isPriced(entry) }];
  });
  const models = served.filter((each) => !each.isPriced).map(({ name }) => name);
  return models.length === 0 ? [] : [{ route: id, models, unpriced, isAll: models.length === served.length }];
}

/** True if the price covers all calls of a model. Embeddings have no output. */
function isPriced({ model: { price, dialects } }: VendorEntry): boolean {
  const rates = costRates(price);
  const hasOutput = dialects.some((dialect) => dialect !== 'openai-embeddings');
  return rates.length > 0 && rates.every(({ input, output }) => input !== null && (output !== null || !hasOutput));
}

/**
 * The targets that a decision left out for lack of a price, by the route's names; `null` if there are none.
 *
 * /!\ Hot path: does nothing if no target was left out.
 */
export function unpricedOf(decision: Decision | null): readonly string[] | null {
  if (decision === null || decision.order.length === decision.candidates.length) return null;
  let names: string[] | null = null;
  for (const { model, leftOut } of decision.candidates) {
    if (leftOut?.reason !== 'unpriced') continue;
    names ??= [];
    if (!names.includes(model)) names.push(model);
  }
  return names;
}

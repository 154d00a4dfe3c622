import { type CalledModel, namesOf } from './access.ts';
import { type ByMeaning, byMeaning, identityOf, keptFor } from './model-identity.ts';
import type { Directory, Model, Provider } from './provider.ts';

type RatesByName<Rate> = ReadonlyMap<string, Rate>;

/** /!\ Hot path: the rates of a project are read once as long as the same models can be called. */
const known = new WeakMap<RatesByName<unknown>, ByMeaning<unknown>>();

/**
 * Which of a project's rates, by the names that they were set for, a call of a model counts against: all that mean this very
 * model, else those of the model that it is a version of.
 */
export function ratesFor<Rate>(
  { provider, model }: { provider: Pick<Provider, 'id' | 'account'>; model: Pick<Model, 'id' | 'upstreamId'> },
  rates: RatesByName<Rate>,
  find: Directory['find'],
): readonly Rate[] {
  let meant = known.get(rates) as ByMeaning<Rate> | undefined;
  if (meant?.find !== find) {
    meant = byMeaning(rates, find);
    known.set(rates, meant);
  }
  return keptFor(identityOf(provider, model), meant);
}

/** The rates that were set for a route by one of its own names: its calls count against them, whoever serves. */
export function ratesForRoute<Rate>(called: CalledModel, rates: RatesByName<Rate>): readonly Rate[] {
  return [...new Set([...namesOf(called), ...called.entry.aliases])].flatMap((name) => rates.get(name) ?? []);
}

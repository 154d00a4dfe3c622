import { type CalledModel, namesOf } from './access.ts';
import { type ByMeaning, byMeaning, identityOf, valuesFor } from './model-identity.ts';
import type { Directory, Model, Provider } from './provider.ts';

type RatesByName<Rate> = ReadonlyMap<string, Rate>;

/** /!\ Hot path: a project's rates are read once per set of callable models. */
const known = new WeakMap<RatesByName<unknown>, ByMeaning<unknown>>();

/**
 * The rates of a project that a call of a model counts against: all rates whose names mean this model, else those of the
 * model that it is a version of.
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
  return valuesFor(identityOf(provider, model), meant);
}

/** The rates set for a route by one of its names. Its calls count against them, whichever target serves. */
export function ratesForRoute<Rate>(called: CalledModel, rates: RatesByName<Rate>): readonly Rate[] {
  return [...new Set([...namesOf(called), ...called.entry.aliases])].flatMap((name) => rates.get(name) ?? []);
}

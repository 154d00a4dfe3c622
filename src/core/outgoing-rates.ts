import type { Model, OutgoingRate, Provider, Target } from './provider.ts';

/** A rate with what tells it from others: all that is sent under one id is counted together. */
export type HeldRate = OutgoingRate & { id: string };

const NONE: readonly HeldRate[] = [];
const known = new WeakMap<Provider, WeakMap<Model, readonly HeldRate[]>>();

/**
 * What may be sent to a target in a minute: of its provider, of the credential, and of the model there, whichever were set.
 *
 * /!\ Hot path: made once for a provider and a model, and never where nothing was set.
 */
export function outgoingRatesOf({ provider, model }: Pick<Target, 'provider' | 'model'>): readonly HeldRate[] {
  if (!hasOutgoingRates(provider, model)) return NONE;
  let ofProvider = known.get(provider);
  if (ofProvider === undefined) {
    ofProvider = new WeakMap();
    known.set(provider, ofProvider);
  }
  let rates = ofProvider.get(model);
  if (rates === undefined) {
    rates = [
      ...held(`provider ${provider.id}`, provider.rate),
      ...held(`credential ${provider.id} ${provider.credentialName}`, provider.credentialRate),
      ...held(`model ${provider.id} ${model.upstreamId}`, model.rate),
    ];
    ofProvider.set(model, rates);
  }
  return rates;
}

export function hasOutgoingRates(provider: Provider, model: Model): boolean {
  return provider.rate !== undefined || provider.credentialRate !== undefined || model.rate !== undefined;
}

function held(id: string, rate: OutgoingRate | undefined): HeldRate[] {
  return rate === undefined ? [] : [{ ...rate, id }];
}

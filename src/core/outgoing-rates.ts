import type { Model, OutgoingRate, Provider, Target } from './provider.ts';

/** The scope of a rate: a provider, one of its credentials, or one of its models. Other members are `null`. */
export type RateScope = { provider: string; credential: string | null; model: string | null };

/** A rate and its id. Everything that is sent under one id is counted together. */
export type HeldRate = OutgoingRate & RateScope & { id: string };

/** How often a rate made calls skip its target, the last time, and when it had room again (Unix ms). */
export type OutgoingUse = { rate: HeldRate; passedOver: number; fullAt: number; fullUntil: number };

const NONE: readonly HeldRate[] = [];
const known = new WeakMap<Provider, WeakMap<Model, readonly HeldRate[]>>();

/**
 * The rates of a target: of its provider, credential and model, as far as they are set.
 *
 * /!\ Hot path: built once per provider and model, and only if a rate is set.
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
      ...held(`provider ${provider.id}`, provider.rate, { provider: provider.id }),
      ...held(`credential ${provider.id} ${provider.credentialName}`, provider.credentialRate, {
        provider: provider.id,
        credential: provider.credentialName,
      }),
      ...held(`model ${provider.id} ${model.upstreamId}`, model.rate, {
        provider: provider.id,
        model: model.upstreamId,
      }),
    ];
    ofProvider.set(model, rates);
  }
  return rates;
}

export function hasOutgoingRates(provider: Provider, model: Model): boolean {
  return provider.rate !== undefined || provider.credentialRate !== undefined || model.rate !== undefined;
}

function held(
  id: string,
  rate: OutgoingRate | undefined,
  { provider, credential = null, model = null }: Pick<RateScope, 'provider'> & Partial<RateScope>,
): HeldRate[] {
  return rate === undefined ? [] : [{ ...rate, id, provider, credential, model }];
}

/** The time (Unix ms) until which a target is skipped because a rate is exhausted; `null` if all have room. */
export function fullUntil(
  target: Pick<Target, 'provider' | 'model'>,
  uses: ReadonlyMap<string, OutgoingUse>,
  now: number,
): number | null {
  const ends = outgoingRatesOf(target).map(({ id }) => uses.get(id)?.fullUntil ?? 0);
  const last = Math.max(0, ...ends);
  return last > now ? last : null;
}

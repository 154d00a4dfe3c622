import type { Model, OutgoingRate, Provider, Target } from './provider.ts';

/** What a rate holds for: a provider, one of its credentials, or one of its models. What it does not name is `null`. */
export type RateScope = { provider: string; credential: string | null; model: string | null };

/** A rate with what tells it from others: all that is sent under one id is counted together. */
export type HeldRate = OutgoingRate & RateScope & { id: string };

/** How often calls were passed over because of a rate, when that was last, and until when (Unix ms) it had no room then. */
export type OutgoingUse = { rate: HeldRate; passedOver: number; fullAt: number; fullUntil: number };

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

/** Until when (Unix ms) a target is passed over because a rate of it is full; `null` where all have room. */
export function fullUntil(
  target: Pick<Target, 'provider' | 'model'>,
  uses: ReadonlyMap<string, OutgoingUse>,
  now: number,
): number | null {
  const ends = outgoingRatesOf(target).map(({ id }) => uses.get(id)?.fullUntil ?? 0);
  const last = Math.max(0, ...ends);
  return last > now ? last : null;
}

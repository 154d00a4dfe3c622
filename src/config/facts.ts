import { PRICE_COMPONENTS, type Price, type PriceComponent, picoPerToken, type Rates } from '../core/money.ts';
import type { KnownFacts } from './config.ts';
import type { FactsEntry, PriceEntry, RatesEntry } from './model-schema.ts';

/** Who is named as the source of a price that the operator wrote. */
const PRICE_SOURCE = 'headgate.yaml';

/** The facts that the file gives of a model; one it does not give is absent. */
export function factsOf(entry: FactsEntry): KnownFacts {
  return given({
    name: entry.name,
    contextWindow: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    dimensions: entry.dimensions,
    price: entry.price && cachedAsInput(priceOf(entry.price, PRICE_SOURCE)),
  });
}

const CACHED: readonly PriceComponent[] = ['cache_read', 'cache_write', 'cache_write_1h'];

/**
 * An operator's price that says nothing of caches says that cached tokens cost what input costs. One that names some of
 * their prices leaves the others unknown, as a vendor's list does.
 */
function cachedAsInput(price: Price): Price {
  const lists = [price.rates, ...price.tiers.map(({ rates }) => rates)];
  if (lists.some((rates) => CACHED.some((component) => rates[component] !== undefined))) return price;
  return {
    ...price,
    rates: withCached(price.rates),
    tiers: price.tiers.map((tier) => ({ ...tier, rates: withCached(tier.rates) })),
  };
}

function withCached(rates: Rates): Rates {
  const { input } = rates;
  return input === undefined
    ? rates
    : { ...rates, ...Object.fromEntries(CACHED.map((component) => [component, input])) };
}

/** `source`: who says so. Where the operator gives no date, the price has the empty one. */
export function priceOf(entry: PriceEntry, source: string): Price {
  const tiers = (entry.tiers ?? []).map((tier) => ({
    abovePromptTokens: tier.above_prompt_tokens,
    rates: ratesOf(tier),
  }));
  return { rates: ratesOf(entry), tiers, source, date: entry.date ?? '' };
}

/** Pico-dollars per token from dollars per million. */
function ratesOf(entry: RatesEntry): Rates {
  const rates: Rates = {};
  for (const component of PRICE_COMPONENTS) {
    const dollars = entry[`${component}_per_1m`];
    if (dollars !== undefined) rates[component] = picoPerToken(dollars);
  }
  return rates;
}

/** The same without what is undefined. */
export type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

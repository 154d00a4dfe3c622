import {
  ANY_LIFE,
  millionths,
  PRICE_COMPONENTS,
  type Price,
  picoPerCall,
  picoPerToken,
  type Rates,
  type TieredRates,
} from '../core/money.ts';
import type { KnownFacts } from './config.ts';
import type { FactsEntry, PriceEntry, RateListEntry, RatesEntry } from './model-schema.ts';
import { parametersIn } from './parameter-schema.ts';
import { rateOf } from './rate-schema.ts';

/** The `source` of prices from the file. */
const PRICE_SOURCE = 'headgate.yaml';

/** The facts that the file, or another `source`, states about a model. Facts that it does not state are absent. */
export function factsOf(entry: FactsEntry, source: string = PRICE_SOURCE): KnownFacts {
  return given({
    name: entry.name,
    contextWindow: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    dimensions: entry.dimensions,
    price: entry.price && cachedAsInput(priceOf(entry.price, source)),
    parameters: parametersIn(entry),
    rate: rateOf(entry),
  });
}

const CACHED = ['cache_read', 'cache_write', ANY_LIFE] as const;

/** The default cache lifetimes of vendors. Their rate is the plain rate of cache writes. */
const DEFAULT_LIFETIMES = ['5m', '30m'] as const;

/**
 * Without any cache price, cached tokens cost what input costs. With some cache prices, the others stay unknown, as in
 * a vendor's list.
 */
function cachedAsInput(price: Price): Price {
  const lists = [price, ...Object.values(price.services ?? {})];
  const all = lists.flatMap(({ rates, tiers }) => [rates, ...tiers.map((tier) => tier.rates)]);
  if (all.some((rates) => Object.keys(rates).some((component) => component.startsWith('cache_')))) return price;
  const services = Object.entries(price.services ?? {}).map(([name, list]) => [name, withCachedIn(list)] as const);
  return {
    ...price,
    ...withCachedIn(price),
    ...(price.services !== undefined && { services: Object.fromEntries(services) }),
  };
}

function withCachedIn({ rates, tiers }: TieredRates): TieredRates {
  return { rates: withCached(rates), tiers: tiers.map((tier) => ({ ...tier, rates: withCached(tier.rates) })) };
}

function withCached(rates: Rates): Rates {
  const { input } = rates;
  return input === undefined
    ? rates
    : { ...rates, ...Object.fromEntries(CACHED.map((component) => [component, input])) };
}

/** @param source the origin of the price. Without a date in the entry, the price's date is empty. */
export function priceOf(entry: PriceEntry, source: string): Price {
  const { services, per_call: tools, regions } = entry;
  return {
    ...listOf(entry),
    ...(services !== undefined && { services: mapped(services, listOf) }),
    ...(tools !== undefined && { tools: mapped(tools, picoPerCall) }),
    ...(regions !== undefined && { regions: mapped(regions, millionths) }),
    source,
    date: entry.date ?? '',
  };
}

function mapped<From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
}

function listOf(entry: RateListEntry): TieredRates {
  const tiers = (entry.tiers ?? []).map((tier) => ({
    abovePromptTokens: tier.above_prompt_tokens,
    rates: ratesOf(tier),
  }));
  return { rates: ratesOf(entry), tiers };
}

/** Converts dollars per million tokens to pico-dollars per token. */
function ratesOf(entry: RatesEntry): Rates {
  const rates: Rates = {};
  for (const component of PRICE_COMPONENTS) {
    const dollars = entry[`${component}_per_1m`];
    if (dollars !== undefined) rates[component] = picoPerToken(dollars);
  }
  const { cache_write_1h_per_1m: hour } = entry;
  const byLife = { ...(hour !== undefined && { '1h': hour }), ...entry.cache_writes_per_1m };
  for (const [life, dollars] of Object.entries(byLife)) rates[`cache_write_${life}`] = picoPerToken(dollars);
  const ordinary = DEFAULT_LIFETIMES.map((life) => rates[`cache_write_${life}`]).find((rate) => rate !== undefined);
  if (rates.cache_write === undefined && ordinary !== undefined) rates.cache_write = ordinary;
  return rates;
}

/** `T` without undefined members. */
export type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

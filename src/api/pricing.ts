import { z } from 'zod';
import {
  ANY_LIFE,
  dollarsPerCall,
  dollarsPerMillion,
  type Price,
  type Rates,
  type TieredRates,
} from '../core/money.ts';
import { count, decimal, named, text, type Written } from './schema.ts';

const rate = decimal.nullable().describe('US dollars per million tokens; `null` if unknown.');

const rates = z.object({
  input_per_1m: rate,
  output_per_1m: rate,
  cache_read_per_1m: rate,
  cache_write_per_1m: rate,
  cache_write_1h_per_1m: rate,
  cache_writes_per_1m: z
    .record(z.string(), decimal)
    .exactOptional()
    .describe('Price of cache writes by lifetime, in the vendor’s words (`12h`); `any` for all others.'),
  reasoning_per_1m: rate,
  audio_input_per_1m: rate,
  audio_output_per_1m: rate,
});

type RatesShown = Written<typeof rates>;

const range = z.object({ min: decimal, max: decimal }).nullable();

const rateList = named(
  'RateList',
  rates.extend({
    tiers: z
      .array(z.object({ above_prompt_tokens: count, ...rates.shape }))
      .describe('Rates that apply instead if the prompt is longer than `above_prompt_tokens`.'),
  }),
);

type RateListJson = Written<typeof rateList>;

/** A price, as the catalog shows it. */
export const pricing = z.object({
  ...rateList.shape,
  services: z.record(z.string(), rateList).exactOptional().describe('Price by service tier, in the vendor’s words.'),
  per_call: z
    .record(z.string(), decimal)
    .exactOptional()
    .describe('US dollars per call of a tool that the vendor runs, by its name: `web_search`.'),
  regions: z
    .record(z.string(), decimal)
    .exactOptional()
    .describe('Price factors by the region that the vendor reports.'),
  currency: z.literal('USD'),
  source: text.nullable(),
  date: text.nullable(),
  inferred_from: text.exactOptional().describe('The model whose price this is, if it is another’s.'),
  range: z
    .object({ input_per_1m: range, output_per_1m: range })
    .nullable()
    .exactOptional()
    .describe('Of a route that costs what its target costs.'),
});

export type PricingJson = Written<typeof pricing>;

/** @param price `null`: no price is known, and all rates are `null` */
export function pricingJson(price: Price | null): PricingJson {
  const services = Object.entries(price?.services ?? {}).map(([name, list]) => [name, listJson(list)] as const);
  return {
    ...listJson(price ?? NO_LIST),
    ...(services.length > 0 && { services: Object.fromEntries(services) }),
    ...(price?.tools !== undefined && { per_call: numbers(price.tools, dollarsPerCall) }),
    ...(price?.regions !== undefined && { regions: numbers(price.regions, dollarsPerMillion) }),
    currency: 'USD',
    source: price?.source ?? null,
    // A price that the operator wrote without this rate has none.
    date: price?.date || null,
    ...(price?.inferredFrom !== undefined && { inferred_from: price.inferredFrom }),
  };
}

function numbers(values: Readonly<Record<string, bigint>>, to: (value: bigint) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
}

const NO_LIST: TieredRates = { rates: {}, tiers: [] };

function listJson({ rates, tiers }: TieredRates): RateListJson {
  return {
    ...ratesJson(rates),
    tiers: tiers.map((tier) => ({ above_prompt_tokens: tier.abovePromptTokens, ...ratesJson(tier.rates) })),
  };
}

const BY_LIFE = 'cache_write_';

function ratesJson(rates: Rates): RatesShown {
  const dollarsOf = (rate: bigint | undefined) => (rate === undefined ? null : dollarsPerMillion(rate));
  const lives = Object.entries(rates).flatMap(([component, rate]) =>
    component.startsWith(BY_LIFE) && rate !== undefined
      ? [[component.slice(BY_LIFE.length), dollarsPerMillion(rate)] as const]
      : [],
  );
  return {
    input_per_1m: dollarsOf(rates.input),
    output_per_1m: dollarsOf(rates.output),
    cache_read_per_1m: dollarsOf(rates.cache_read),
    cache_write_per_1m: dollarsOf(rates.cache_write),
    cache_write_1h_per_1m: dollarsOf(rates.cache_write_1h ?? rates[ANY_LIFE]),
    ...(lives.length > 0 && { cache_writes_per_1m: Object.fromEntries(lives) }),
    reasoning_per_1m: dollarsOf(rates.reasoning),
    audio_input_per_1m: dollarsOf(rates.audio_input),
    audio_output_per_1m: dollarsOf(rates.audio_output),
  };
}

import { ANY_LIFE, type Price, type Rates, type TieredRates, type TokenComponent } from '../core/money.ts';
import { priceOf } from './facts.ts';
import type { PriceEntry } from './model-schema.ts';
import type { Report } from './problems.ts';

/** The component whose price applies if a product's price does not name one. Reasoning counts as output. */
const AS: Readonly<{ [component in TokenComponent]?: 'input' | 'output' }> = {
  cache_read: 'input',
  cache_write: 'input',
  [ANY_LIFE]: 'input',
  audio_input: 'input',
  audio_output: 'output',
};

/**
 * Reads the price of a product. Unlike a vendor's price it prices every token, since the seller decides: a component without
 * a price costs what input or output costs. These two are required. Vendor tools have no such default: without a price their
 * cost is unknown.
 */
export function productPrice(entry: PriceEntry, source: string, problem: Report): Price {
  for (const name of ['input_per_1m', 'output_per_1m'] as const) {
    if (entry[name] === undefined) problem(['price'], `must set ${name}; write 0 if it is free`);
  }
  const { rates, tiers, services, ...rest } = priceOf(entry, source);
  const lists = Object.entries(services ?? {}).map(([name, list]) => [name, completedList(list)] as const);
  return {
    ...rest,
    ...completedList({ rates, tiers }),
    ...(services !== undefined && { services: Object.fromEntries(lists) }),
  };
}

function completedList({ rates, tiers }: TieredRates): TieredRates {
  return {
    rates: completed(rates, {}),
    tiers: tiers.map((tier) => ({ ...tier, rates: completed(tier.rates, rates) })),
  };
}

/** Tiers inherit component prices that the base rates set themselves. */
function completed(rates: Rates, base: Rates): Rates {
  const whole: Rates = { ...rates };
  for (const [component, plain] of Object.entries(AS) as [TokenComponent, 'input' | 'output'][]) {
    const rate = rates[plain];
    if (rates[component] === undefined && base[component] === undefined && rate !== undefined) whole[component] = rate;
  }
  return whole;
}

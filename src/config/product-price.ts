import { ANY_LIFE, type Price, type Rates, type TieredRates, type TokenComponent } from '../core/money.ts';
import { priceOf } from './facts.ts';
import type { PriceEntry } from './model-schema.ts';
import type { Report } from './problems.ts';

/** The price of a component that a product's price does not name. Reasoning counts as output. */
const AS: Readonly<{ [component in TokenComponent]?: 'input' | 'output' }> = {
  cache_read: 'input',
  cache_write: 'input',
  [ANY_LIFE]: 'input',
  audio_input: 'input',
  audio_output: 'output',
};

/**
 * The price of a product. Unlike a vendor's it leaves no token without a price, since whoever sells it says what it costs:
 * what it does not name costs what input or output costs, cached or not. Without these two it is a problem. What a vendor's own
 * tools cost has no such likeness: it is unknown where it is not named.
 */
export function productPrice(entry: PriceEntry, source: string, problem: Report): Price {
  for (const name of ['input_per_1m', 'output_per_1m'] as const) {
    if (entry[name] === undefined) problem(['price'], `must say ${name}; 0 where that costs nothing`);
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

/** A component that the base prices itself has that price in a tier too. */
function completed(rates: Rates, base: Rates): Rates {
  const whole: Rates = { ...rates };
  for (const [component, plain] of Object.entries(AS) as [TokenComponent, 'input' | 'output'][]) {
    const rate = rates[plain];
    if (rates[component] === undefined && base[component] === undefined && rate !== undefined) whole[component] = rate;
  }
  return whole;
}

import { type LineItem, PRICE_COMPONENTS, type Price, type PriceComponent, type Rates } from '../core/money.ts';

/** How prices lie in a text column: JSON in which money is a string, since a JSON number may lose digits. */
type RatesJson = Partial<Record<keyof Rates, string>>;
type TierJson = { abovePromptTokens: number; rates: RatesJson };
export type PriceJson = { rates: string; tiers: string; source: string; date: string };
/** A line item without its names: there are two or three in every record. */
export type LineItemJson = [component: PriceComponent, tokens: number, rate: string, amount: string];

/** The same rates always make the same text. */
export function writeRates(rates: Rates): string {
  return JSON.stringify(ratesJson(rates));
}

/** The same tiers make the same text, in whatever order they are given. */
export function writeTiers(tiers: Price['tiers']): string {
  const sorted = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return JSON.stringify(sorted.map((tier): TierJson => ({ ...tier, rates: ratesJson(tier.rates) })));
}

/** Reads back what `writeRates` and `writeTiers` wrote. */
export function readPrice(row: PriceJson): Price {
  const tiers = (JSON.parse(row.tiers) as TierJson[]).map((tier) => ({ ...tier, rates: readRates(tier.rates) }));
  return { rates: readRates(JSON.parse(row.rates) as RatesJson), tiers, source: row.source, date: row.date };
}

export function writeLineItems(items: readonly LineItem[]): LineItemJson[] {
  return items.map(({ component, tokens, rate, amount }) => [component, tokens, `${rate}`, `${amount}`]);
}

/** Reads back what `writeLineItems` wrote. */
export function readLineItems(json: readonly LineItemJson[]): LineItem[] {
  return json.map(([component, tokens, rate, amount]) => ({
    component,
    tokens,
    rate: BigInt(rate),
    amount: BigInt(amount),
  }));
}

function ratesJson(rates: Rates): RatesJson {
  const json: RatesJson = {};
  for (const component of PRICE_COMPONENTS) {
    const rate = rates[component];
    if (rate !== undefined) json[component] = rate.toString();
  }
  return json;
}

function readRates(json: RatesJson): Rates {
  const rates: Rates = {};
  for (const component of PRICE_COMPONENTS) {
    const rate = json[component];
    if (rate !== undefined) rates[component] = BigInt(rate);
  }
  return rates;
}

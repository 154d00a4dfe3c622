import { type LineItem, PRICE_COMPONENTS, type Price, type PriceComponent, type Rates } from '../core/money.ts';

/** How prices lie in a text column: JSON in which money is a string, since a JSON number may lose digits. */
type RatesJson = Partial<Record<keyof Rates, string>>;
type TierJson = { abovePromptTokens: number; rates: RatesJson };
/** Where a price has lists by tier of service, they stand beside the tiers by length. */
type TiersJson = TierJson[] | { tiers: TierJson[]; services: Record<string, { rates: RatesJson; tiers: TierJson[] }> };
export type PriceJson = { rates: string; tiers: string; source: string; date: string };
/** A line item without its names: there are two or three in every record. */
export type LineItemJson = [component: PriceComponent, tokens: number, rate: string, amount: string];

/** The same rates always make the same text. */
export function writeRates(rates: Rates): string {
  return JSON.stringify(ratesJson(rates));
}

/** What a price has beside its base rates. The same says the same, in whatever order it is given. */
export function writeTiers({ tiers, services }: Price): string {
  if (services === undefined) return JSON.stringify(tiersJson(tiers));
  const lists = Object.entries(services).sort(([a], [b]) => (a < b ? -1 : 1));
  const json = lists.map(([name, list]) => [name, { rates: ratesJson(list.rates), tiers: tiersJson(list.tiers) }]);
  return JSON.stringify({ tiers: tiersJson(tiers), services: Object.fromEntries(json) } satisfies TiersJson);
}

/** Reads back what `writeRates` and `writeTiers` wrote. */
export function readPrice(row: PriceJson): Price {
  const { source, date } = row;
  const json = JSON.parse(row.tiers) as TiersJson;
  const rates = readRates(JSON.parse(row.rates) as RatesJson);
  if (Array.isArray(json)) return { rates, tiers: readTiers(json), source, date };
  const lists = Object.entries(json.services).map(([name, list]) => [
    name,
    { rates: readRates(list.rates), tiers: readTiers(list.tiers) },
  ]);
  return { rates, tiers: readTiers(json.tiers), services: Object.fromEntries(lists), source, date };
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

function tiersJson(tiers: Price['tiers']): TierJson[] {
  const sorted = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return sorted.map((tier) => ({ ...tier, rates: ratesJson(tier.rates) }));
}

function readTiers(json: readonly TierJson[]): Price['tiers'] {
  return json.map((tier) => ({ ...tier, rates: readRates(tier.rates) }));
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

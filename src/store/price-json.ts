import {
  type LineItem,
  PRICE_COMPONENTS,
  type Price,
  type PriceComponent,
  type Rates,
  type TokenComponent,
} from '../core/money.ts';

/** How prices lie in a text column: JSON in which money is a string, since a JSON number may lose digits. */
type RatesJson = { [component in TokenComponent]?: string };
type TierJson = { abovePromptTokens: number; rates: RatesJson };
type ServicesJson = Record<string, { rates: RatesJson; tiers: TierJson[] }>;
/** What else a price has, such as lists by tier of service, stands beside the tiers by length. */
type TiersJson = TierJson[] | ({ tiers: TierJson[]; services?: ServicesJson } & AsideJson);
/** What is no rate of a token: prices of tools and factors of regions by their names, and whose price it was. */
type AsideJson = { tools?: ByName; regions?: ByName; inferredFrom?: string };
type ByName = Record<string, string>;
export type PriceJson = { rates: string; tiers: string; source: string; date: string };
/** A line item without its names: there are two or three in every record. */
export type LineItemJson = [component: PriceComponent, quantity: number, rate: string, amount: string];

/** The same rates always make the same text. */
export function writeRates(rates: Rates): string {
  return JSON.stringify(ratesJson(rates));
}

/** What a price has beside its base rates. The same says the same, in whatever order it is given. */
export function writeTiers({ tiers, services, tools, regions, inferredFrom }: Price): string {
  const hasMore = services !== undefined || tools !== undefined || regions !== undefined;
  if (!hasMore && inferredFrom === undefined) return JSON.stringify(tiersJson(tiers));
  return JSON.stringify({
    tiers: tiersJson(tiers),
    ...(services !== undefined && { services: servicesJson(services) }),
    ...(tools !== undefined && { tools: byNameJson(tools) }),
    ...(regions !== undefined && { regions: byNameJson(regions) }),
    ...(inferredFrom !== undefined && { inferredFrom }),
  } satisfies TiersJson);
}

/** Reads back what `writeRates` and `writeTiers` wrote. */
export function readPrice(row: PriceJson): Price {
  const { source, date } = row;
  const json = JSON.parse(row.tiers) as TiersJson;
  const rates = readRates(JSON.parse(row.rates) as RatesJson);
  if (Array.isArray(json)) return { rates, tiers: readTiers(json), source, date };
  const { tiers, services, tools, regions, inferredFrom } = json;
  return {
    rates,
    tiers: readTiers(tiers),
    ...(services !== undefined && { services: readServices(services) }),
    ...(tools !== undefined && { tools: readByName(tools) }),
    ...(regions !== undefined && { regions: readByName(regions) }),
    source,
    date,
    ...(inferredFrom !== undefined && { inferredFrom }),
  };
}

export function writeLineItems(items: readonly LineItem[]): LineItemJson[] {
  return items.map(({ component, quantity, rate, amount }) => [component, quantity, `${rate}`, `${amount}`]);
}

/** Reads back what `writeLineItems` wrote. */
export function readLineItems(json: readonly LineItemJson[]): LineItem[] {
  return json.map(([component, quantity, rate, amount]) => ({
    component,
    quantity,
    rate: BigInt(rate),
    amount: BigInt(amount),
  }));
}

function servicesJson(services: NonNullable<Price['services']>): ServicesJson {
  const lists = Object.entries(services).sort(([a], [b]) => (a < b ? -1 : 1));
  const json = lists.map(([name, list]) => [name, { rates: ratesJson(list.rates), tiers: tiersJson(list.tiers) }]);
  return Object.fromEntries(json);
}

function readServices(json: ServicesJson): NonNullable<Price['services']> {
  const lists = Object.entries(json).map(([name, list]) => [
    name,
    { rates: readRates(list.rates), tiers: readTiers(list.tiers) },
  ]);
  return Object.fromEntries(lists);
}

function tiersJson(tiers: Price['tiers']): TierJson[] {
  const sorted = tiers.toSorted((a, b) => a.abovePromptTokens - b.abovePromptTokens);
  return sorted.map((tier) => ({ ...tier, rates: ratesJson(tier.rates) }));
}

function readTiers(json: readonly TierJson[]): Price['tiers'] {
  return json.map((tier) => ({ ...tier, rates: readRates(tier.rates) }));
}

function byNameJson(values: Readonly<Record<string, bigint>>): ByName {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, value]) => [name, `${value}`]));
}

function readByName(json: ByName): Record<string, bigint> {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, BigInt(value)]));
}

function ratesJson(rates: Rates): RatesJson {
  const json: RatesJson = {};
  for (const component of componentsOf(rates)) json[component] = `${rates[component]}`;
  return json;
}

function readRates(json: RatesJson): Rates {
  const rates: Rates = {};
  for (const [component, rate] of Object.entries(json) as [TokenComponent, string][]) rates[component] = BigInt(rate);
  return rates;
}

/** The rates that there are: those of every vendor first, then caches by life, by name. */
function componentsOf(rates: Rates): TokenComponent[] {
  const known: readonly TokenComponent[] = PRICE_COMPONENTS;
  const there = Object.keys(rates) as TokenComponent[];
  return [...known.filter((one) => rates[one] !== undefined), ...there.filter((one) => !known.includes(one)).sort()];
}

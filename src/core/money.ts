import { NO_USAGE, sumOf, type Usage } from './usage.ts';

/** An amount in nano-dollars (1e-9 USD). The only type of money; floats appear only in JSON for callers. */
export type NanoDollars = bigint;

/** Nano-dollars of a cent. */
export const NANO_PER_CENT: NanoDollars = 10_000_000n;
/** A billion dollars: the largest limit that people may set. */
export const MAX_LIMIT_AMOUNT: NanoDollars = 10n ** 18n;
/** The largest monthly limit or alert, in cents: about the range of 64-bit nano-dollars. */
export const MAX_LIMIT_CENTS = 900_000_000_000;

/** The token components with prices at any vendor. */
export const PRICE_COMPONENTS = [
  'input',
  'cache_read',
  'cache_write',
  'output',
  'reasoning',
  'audio_input',
  'audio_output',
] as const;

/** Tokens written to a cache with a named lifetime: `cache_write_1h`. */
export type CacheLife = `cache_write_${string}`;

/** A kind of token with its own price. A used component without a price makes the cost unknown. */
export type TokenComponent = (typeof PRICE_COMPONENTS)[number] | CacheLife;

/** A billed component: tokens, or calls of a vendor's tools (`tool:web_search`). */
export type PriceComponent = TokenComponent | `tool:${string}` | typeof VENDOR_COST;

/** The only line item of a call without a price whose vendor reports its charge. */
export const VENDOR_COST = 'vendor_cost';

/** The price source of charges that vendors report. */
export const VENDOR_PRICE = 'vendor';

/** In a price: cache writes of all lifetimes without their own rate. */
export const ANY_LIFE = 'cache_write_any' satisfies CacheLife;

/** Prices in integer pico-dollars (1e-12 USD) per token. */
export type Rates = { [component in TokenComponent]?: bigint };

/** Rates by prompt length. A tier applies to the whole call if its prompt is longer than `abovePromptTokens`. */
export type TieredRates = { rates: Rates; tiers: readonly { abovePromptTokens: number; rates: Rates }[] };

/** A price list of one model. */
export type Price = TieredRates & {
  /** Prices by the vendor's name of a service tier. Nothing is inherited. */
  services?: Readonly<Record<string, TieredRates>>;
  /** The price of a call of a vendor's tool in pico-dollars, by tool name; the same in every service tier. */
  tools?: Readonly<Record<string, bigint>>;
  /** Price multipliers of regions in millionths: 1.1 is 1100000. */
  regions?: Readonly<Record<string, bigint>>;
  /** The origin of the price (a catalog snapshot, the operator's config) and its ISO date. */
  source: string;
  date: string;
  /** The vendor's undated model name whose price was inferred for a dated name. */
  inferredFrom?: string;
};

/** `quantity` counts tokens or tool calls; `rate` is pico-dollars for each. */
export type LineItem = { component: PriceComponent; quantity: number; rate: bigint; amount: NanoDollars };

/** Prefix of the source of a product's price, which is what the caller pays and not what a vendor charges. */
export const PRODUCT_PRICE = 'route ';

/** The bill of a call. `total` is the sum of the items, or `null` if a used component has no price. */
export type Bill = {
  items: LineItem[];
  total: NanoDollars | null;
  /** Used components without a price; absent if there are none. */
  unpriced?: PriceComponent[];
};

const PICO_PER_NANO = 1000n;
const HALF_NANO = PICO_PER_NANO / 2n;
const NO_RATES: Rates = {};
const CACHE_LIFE = 'cache_write_';

/** The factor 1 in millionths. */
const ONCE = 1_000_000n;

/** Vendors' names of the service tier with the standard price. */
const PLAIN_SERVICES: ReadonlySet<string> = new Set(['default', 'standard', 'auto', 'on_demand', 'scale']);

/**
 * Prices one call. Each line item is rounded half up to nano-dollars; the total is their sum.
 * Every token is billed once: cached, cache-written and audio tokens are taken out of the plain ones.
 */
export function bill(price: Price | null, usage: Usage): Bill {
  const rates = price === null ? NO_RATES : ratesFor(price, usage.inputTokens, usage.serviceTier, usage.region);
  const one: Bill = { items: [], total: 0n };
  const { cacheReadTokens, cacheWriteTokens, cacheWritesByLife, audioInputTokens, audioOutputTokens } = usage;
  // Only `reasoning` may lack its own price: it is then billed as output, as all vendors do.
  const reasoning = rates.reasoning === undefined ? 0 : usage.reasoningTokens;
  put(one, rates.input, 'input', usage.inputTokens - cacheReadTokens - cacheWriteTokens - audioInputTokens);
  put(one, rates.cache_read, 'cache_read', cacheReadTokens);
  put(one, rates.cache_write, 'cache_write', cacheWriteTokens - sumOf(cacheWritesByLife));
  for (const life in cacheWritesByLife) {
    put(one, rates[`cache_write_${life}`] ?? rates[ANY_LIFE], `cache_write_${life}`, cacheWritesByLife[life]!);
  }
  put(one, rates.output, 'output', usage.outputTokens - reasoning - audioOutputTokens);
  put(one, rates.reasoning, 'reasoning', reasoning);
  put(one, rates.audio_input, 'audio_input', audioInputTokens);
  put(one, rates.audio_output, 'audio_output', audioOutputTokens);
  for (const tool in usage.toolCalls) put(one, ownOf(price?.tools, tool), `tool:${tool}`, usage.toolCalls[tool]!);
  return one;
}

/** Merges bills; without a total if one bill has none. */
export function joinBills(bills: readonly Bill[]): Bill {
  const unpriced = bills.flatMap((each) => each.unpriced ?? []);
  return {
    items: bills.flatMap(({ items }) => items),
    total: bills.reduce<NanoDollars | null>(
      (sum, { total }) => (sum === null || total === null ? null : sum + total),
      0n,
    ),
    ...(unpriced.length > 0 && { unpriced }),
  };
}

/** /!\ Hot path: most calls use two components; unused ones cost nothing. */
function put(to: Bill, rate: bigint | undefined, component: PriceComponent, quantity: number): void {
  if (quantity <= 0) return;
  if (rate === undefined) {
    to.total = null;
    to.unpriced ??= [];
    to.unpriced.push(component);
    return;
  }
  const amount = (BigInt(quantity) * rate + HALF_NANO) / PICO_PER_NANO;
  to.items.push({ component, quantity, rate, amount });
  if (to.total !== null) to.total += amount;
}

/**
 * The amount that a bill counts against limits: its total. If that is unknown, the largest of the amount held for the call
 * (`null`: none), its known items, and the highest cost of its tokens by a price: an unknown cost is not zero.
 */
export function countedCost(
  { items, total }: Bill,
  held: NanoDollars | null,
  price: Price | null = null,
  { inputTokens, outputTokens }: Usage = NO_USAGE,
): NanoDollars {
  if (total !== null) return total;
  const most = (price === null ? null : highestCost(price, inputTokens, outputTokens, true)) ?? 0n;
  const known = items.reduce((sum, { amount }) => sum + amount, 0n);
  return atLeast(atLeast(held ?? 0n, known), most);
}

/**
 * The highest possible cost of a call's tokens: all of the prompt at the highest input rate and the whole output, in
 * the most expensive region. Calls of the vendor's tools are not included, since their number is unknown; for tools
 * that are always called, see `toolCost`. `null` if the price has no rate for the prompt, or for an output that the
 * call may have, because then nothing can be reserved.
 * @param anyTier - true if any service tier of the price may serve the call, not only the standard one
 */
export function highestCost(price: Price, inputTokens: number, maxOutput: number, anyTier = false): NanoDollars | null {
  const region = dearestRegion(price);
  let most = highestOf(ratesFor(price, inputTokens, undefined, region), inputTokens, maxOutput);
  if (most === null || !anyTier) return most;
  for (const tier of Object.keys(price.services ?? {})) {
    most = atLeast(most, highestOf(ratesFor(price, inputTokens, tier, region), inputTokens, maxOutput) ?? 0n);
  }
  return most;
}

/** The price of a call of a vendor's tool, rounded up; 0 if the price has none. */
export function toolCost(price: Price, tool: string): NanoDollars {
  return ((ownOf(price.tools, tool) ?? 0n) + PICO_PER_NANO - 1n) / PICO_PER_NANO;
}

function dearestRegion({ regions }: Price): string | undefined {
  let dearest: string | undefined;
  for (const name in regions) if (regions[name]! > (dearest === undefined ? ONCE : regions[dearest]!)) dearest = name;
  return dearest;
}

function highestOf(rates: Rates, inputTokens: number, maxOutput: number): NanoDollars | null {
  if (rates.input === undefined || (rates.output === undefined && maxOutput > 0)) return null;
  let input = dearest(rates.input, rates.cache_write, rates.audio_input);
  for (const name in rates) if (name.startsWith(CACHE_LIFE)) input = dearest(input, rates[name as CacheLife]);
  const output = dearest(rates.output, rates.reasoning, rates.audio_output);
  return (BigInt(inputTokens) * input + BigInt(maxOutput) * output + PICO_PER_NANO - 1n) / PICO_PER_NANO;
}

function dearest(...rates: (bigint | undefined)[]): bigint {
  return rates.reduce<bigint>((most, rate) => (rate !== undefined && rate > most ? rate : most), 0n);
}

/** The larger of two amounts. */
export function atLeast(one: NanoDollars, other: NanoDollars): NanoDollars {
  return one > other ? one : other;
}

/**
 * The rates for a prompt of this length: those of the highest tier that it passes, else the base rates. A tier inherits rates
 * that it does not set. If the price lists service tiers or regions and this one is missing, there are no rates; a price
 * without such lists covers all of them.
 */
export function ratesFor(price: Price, promptTokens: number, serviceTier?: string, region?: string): Rates {
  const list = listOf(price, serviceTier);
  let best: { abovePromptTokens: number; rates: Rates } | undefined;
  for (const tier of list.tiers) {
    if (promptTokens > tier.abovePromptTokens && tier.abovePromptTokens >= (best?.abovePromptTokens ?? 0)) best = tier;
  }
  const rates = best === undefined ? list.rates : { ...list.rates, ...best.rates };
  if (region === undefined || price.regions === undefined) return rates;
  const factor = ownOf(price.regions, region);
  return factor === undefined ? NO_RATES : multiplied(rates, factor);
}

/** The price in a region. Unchanged if the price does not list the region. */
export function priceIn(price: Price, region: string): Price {
  const factor = ownOf(price.regions, region);
  if (factor === undefined) return price;
  const { regions: _, services, ...rest } = price;
  const within = ({ rates, tiers }: TieredRates): TieredRates => ({
    rates: multiplied(rates, factor),
    tiers: tiers.map((tier) => ({ ...tier, rates: multiplied(tier.rates, factor) })),
  });
  const lists = Object.entries(services ?? {}).map(([name, list]) => [name, within(list)] as const);
  return { ...rest, ...within(price), ...(services !== undefined && { services: Object.fromEntries(lists) }) };
}

/** Rates times millionths, rounded half up. */
function multiplied(rates: Rates, factor: bigint): Rates {
  if (factor === ONCE) return rates;
  const all = Object.entries(rates) as [TokenComponent, bigint][];
  return Object.fromEntries(all.map(([component, rate]) => [component, (rate * factor + ONCE / 2n) / ONCE]));
}

function ownOf<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

function listOf(price: Price, serviceTier: string | undefined): TieredRates {
  const { services } = price;
  if (serviceTier === undefined || services === undefined || PLAIN_SERVICES.has(serviceTier)) return price;
  return ownOf(services, serviceTier) ?? NO_LIST;
}

const NO_LIST: TieredRates = { rates: NO_RATES, tiers: [] };

/** Converts dollars per million tokens to pico-dollars per token: `0.15` to `150000n`. */
export function picoPerToken(dollarsPerMillion: number): bigint {
  return BigInt(Math.round(dollarsPerMillion * 1e6));
}

/** Converts dollars per tool call to pico-dollars, up to some thousands; external lists have any number of decimals. */
export function picoPerCall(dollars: number): bigint {
  return BigInt(Math.round(dollars * 1e12));
}

/** Dollars per tool call, for JSON. */
export function dollarsPerCall(pico: bigint): number {
  return Number(pico) / 1e12;
}

/** Converts a factor such as 1.1 to millionths. */
export function millionths(factor: number): bigint {
  return BigInt(Math.round(factor * 1e6));
}

/** Converts dollars to an amount: not negative, with at most nine decimals. */
export function nanoDollars(dollars: number): NanoDollars {
  // `String` gives the digits as written, but uses an exponent below 1e-6.
  const written = dollars < 1e-6 ? dollars.toFixed(9) : String(dollars);
  const [whole = '', fraction = ''] = written.split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
}

/** Parses dollars without rounding. `null` if the text is not an amount or has more than nine decimals. */
export function nanoDollarsOf(dollars: string): NanoDollars | null {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,9}))?$/.exec(dollars) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(9, '0'));
}

const DECIMAL = /^(\d{1,18})(?:\.(\d{1,40}))?(?:e([+-]\d{1,3}))?$/;

/**
 * Parses dollars from a vendor's JSON (`0.0123`, `1.5e-7`), rounded half up. `null` if it is not an amount, or implausibly
 * high for a call.
 */
export function roundedNanoDollars(dollars: string): NanoDollars | null {
  const [, whole, fraction = '', exponent = '0'] = DECIMAL.exec(dollars) ?? [];
  if (whole === undefined) return null;
  const shift = 9 - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift > 18) return null;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  return (digits + unit / 2n) / unit;
}

/** The bill of a call without a price, from the charge that the vendor reports; `null` if that is not an amount. */
export function vendorBill(dollars: string): Bill | null {
  const total = roundedNanoDollars(dollars);
  if (total === null || total > MAX_LIMIT_AMOUNT) return null;
  return { items: [{ component: VENDOR_COST, quantity: 1, rate: total * PICO_PER_NANO, amount: total }], total };
}

/** Dollars per million tokens, for JSON. */
export function dollarsPerMillion(pico: bigint): number {
  return Number(pico) / 1e6;
}

const ZERO = 0x30;

/** Dollars with all significant digits: `0.0001275`, `12.5`, `0`. */
export function dollarsText(amount: NanoDollars): string {
  const digits = amount.toString().padStart(10, '0');
  const point = digits.length - 9;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** Dollars, for JSON. */
export function dollars(amount: NanoDollars): number {
  return Number(amount) / 1e9;
}

import { NO_USAGE, sumOf, type Usage } from './usage.ts';

/** An amount in nano-dollars (1e-9 USD). The only money type there is; a float appears only in JSON a caller reads. */
export type NanoDollars = bigint;

/** Nano-dollars of a cent. */
export const NANO_PER_CENT: NanoDollars = 10_000_000n;
/** A billion dollars: no limit that people set may be more. */
export const MAX_LIMIT_AMOUNT: NanoDollars = 10n ** 18n;
/** Of a limit or an alert of a month, in cents: about what nano-dollars of 64 bits hold. */
export const MAX_LIMIT_CENTS = 900_000_000_000;

/** What a priced token can be whoever the vendor is. */
export const PRICE_COMPONENTS = [
  'input',
  'cache_read',
  'cache_write',
  'output',
  'reasoning',
  'audio_input',
  'audio_output',
] as const;

/** Tokens written to a cache for a time that the vendor has a name for: `cache_write_1h`. */
export type CacheLife = `cache_write_${string}`;

/** What a token can be. Each has its own price; one that is used and has none makes the cost unknown. */
export type TokenComponent = (typeof PRICE_COMPONENTS)[number] | CacheLife;

/** What is billed: tokens, and calls of a vendor's own tools: `tool:web_search`. */
export type PriceComponent = TokenComponent | `tool:${string}` | typeof VENDOR_COST;

/** The one item of a call that has no price, and of which the vendor says what it charged. */
export const VENDOR_COST = 'vendor_cost';

/** The source of what a vendor says that it charged. */
export const VENDOR_PRICE = 'vendor';

/** In a price: cache writes of every life that has no rate of its own. */
export const ANY_LIFE = 'cache_write_any' satisfies CacheLife;

/** Prices in integer pico-dollars (1e-12 USD) per token. */
export type Rates = { [component in TokenComponent]?: bigint };

/** Rates by the length of the prompt: a tier replaces the base rates for the whole call once it is longer than `abovePromptTokens`. */
export type TieredRates = { rates: Rates; tiers: readonly { abovePromptTokens: number; rates: Rates }[] };

/** A price list of one model. */
export type Price = TieredRates & {
  /** What it costs under a tier of service, by the vendor's name for it. Nothing is inherited: it is a price list of its own. */
  services?: Readonly<Record<string, TieredRates>>;
  /** What a call of a vendor's own tool costs, by the tool's name, in pico-dollars; under every tier of service. */
  tools?: Readonly<Record<string, bigint>>;
  /** By how much tokens cost more where the vendor serves in a region, by its name, in millionths: 1.1 times is 1100000. */
  regions?: Readonly<Record<string, bigint>>;
  /** Who says so (a catalog snapshot, the operator's config) and since when (ISO date). */
  source: string;
  date: string;
  /** The vendor's name of the model that this is the price of, where it was taken for a dated name of that one. */
  inferredFrom?: string;
};

/** `quantity` is of tokens, or of calls of a tool; `rate` is pico-dollars for each. */
export type LineItem = { component: PriceComponent; quantity: number; rate: bigint; amount: NanoDollars };

/** What the source of a product's price begins with: it is the caller's, and tells nothing of what a vendor charges. */
export const PRODUCT_PRICE = 'route ';

/** The bill of one call: `total` is the sum of the items, or `null` where a used component has no price. */
export type Bill = {
  items: LineItem[];
  total: NanoDollars | null;
  /** What was used and has no price; left out where there is none. */
  unpriced?: PriceComponent[];
};

const PICO_PER_NANO = 1000n;
const HALF_NANO = PICO_PER_NANO / 2n;
const NO_RATES: Rates = {};
const CACHE_LIFE = 'cache_write_';

/** In millionths: what is not multiplied. */
const ONCE = 1_000_000n;

/** What vendors call the tier of service that is billed by the plain price. */
const PLAIN_SERVICES: ReadonlySet<string> = new Set(['default', 'standard', 'auto', 'on_demand', 'scale']);

/**
 * Prices one call. Each line item is rounded half up to nano-dollars; the total is their sum.
 * Every token is billed once: cached, cache-written and audio tokens are taken out of the plain ones.
 */
export function bill(price: Price | null, usage: Usage): Bill {
  const rates = price === null ? NO_RATES : ratesFor(price, usage.inputTokens, usage.serviceTier, usage.region);
  const one: Bill = { items: [], total: 0n };
  const { cacheReadTokens, cacheWriteTokens, cacheWritesByLife, audioInputTokens, audioOutputTokens } = usage;
  // Only `reasoning` may lack a price of its own: without one it is plain output, as every vendor bills it.
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

/** One bill of several; without a total where one has none. */
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

/** /!\ Hot path: most calls use two components, and cost nothing for the others. */
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
 * What a bill takes of a limit: its total. Where that is unknown, the largest of what was held for the call (`null`: nothing
 * was), its known items, and the most that its tokens can have cost by a price: an unknown cost is not a cost of zero.
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
 * The most that a call's tokens can cost: every one of the prompt at the dearest input rate, and its whole output, in the
 * dearest region. How often a vendor calls its own tools nobody can tell before (but where it always does: `toolCost`). `null` where the price does not say what the
 * prompt costs, or an answer that the call may have: nothing could be held for it.
 * @param anyTier the call may be served under any tier of service that the price knows, and not the plain one alone
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

/** What one call of a vendor's own tool costs, rounded up; 0 where the price does not say. */
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
 * The rates that hold for a prompt of this length: the highest tier it passes, else the base. A tier inherits what it does not
 * name. Under a tier of service that the price has no list for there are none, and none in a region that its list of regions
 * lacks; a price without such lists covers them all.
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

/** The price where its vendor is known to serve in a region. One whose list of regions lacks it stays as it is. */
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

/** Pico-dollars per token from the dollars per million tokens that vendors publish: `0.15` is `150000n`. */
export function picoPerToken(dollarsPerMillion: number): bigint {
  return BigInt(Math.round(dollarsPerMillion * 1e6));
}

/** Pico-dollars per call of a tool from dollars, up to some thousand; others' lists have any number of decimals. */
export function picoPerCall(dollars: number): bigint {
  return BigInt(Math.round(dollars * 1e12));
}

/** Dollars per call of a tool, for a caller's JSON. */
export function dollarsPerCall(pico: bigint): number {
  return Number(pico) / 1e12;
}

/** What a factor such as 1.1 is in millionths. */
export function millionths(factor: number): bigint {
  return BigInt(Math.round(factor * 1e6));
}

/** An amount from dollars as people write them: not negative, with at most nine decimals. */
export function nanoDollars(dollars: number): NanoDollars {
  // The digits that were written, not those of the binary number next to them; below that, they would have an exponent.
  const written = dollars < 1e-6 ? dollars.toFixed(9) : String(dollars);
  const [whole = '', fraction = ''] = written.split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
}

/** Nano-dollars of dollars as text, read digit by digit: no amount is rounded. `null` where it is none, or has more than nine decimals. */
export function nanoDollarsOf(dollars: string): NanoDollars | null {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,9}))?$/.exec(dollars) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(9, '0'));
}

const DECIMAL = /^(\d{1,18})(?:\.(\d{1,40}))?(?:e([+-]\d{1,3}))?$/;

/**
 * Nano-dollars of dollars as a vendor's JSON writes them, read digit by digit and rounded half up: `0.0123`, `1.5e-7`. `null`
 * where it is no amount, or one that no call can cost.
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

/** The bill of a call without a price whose vendor says what it charged; `null` where that is no amount. */
export function vendorBill(dollars: string): Bill | null {
  const total = roundedNanoDollars(dollars);
  if (total === null || total > MAX_LIMIT_AMOUNT) return null;
  return { items: [{ component: VENDOR_COST, quantity: 1, rate: total * PICO_PER_NANO, amount: total }], total };
}

/** Dollars per million tokens, for a caller's JSON. */
export function dollarsPerMillion(pico: bigint): number {
  return Number(pico) / 1e6;
}

const ZERO = 0x30;

/** Dollars, every digit that counts: `0.0001275`, `12.5`, `0`. */
export function dollarsText(amount: NanoDollars): string {
  const digits = amount.toString().padStart(10, '0');
  const point = digits.length - 9;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** Dollars, for a caller's JSON. */
export function dollars(amount: NanoDollars): number {
  return Number(amount) / 1e9;
}

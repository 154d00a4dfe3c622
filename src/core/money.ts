import { NO_USAGE, type Usage } from './usage.ts';

/** An amount in nano-dollars (1e-9 USD). The only money type there is; a float appears only in JSON a caller reads. */
export type NanoDollars = bigint;

/** What a priced token can be. Each has its own price; one that is used and has none makes the cost unknown. */
export const PRICE_COMPONENTS = [
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_input',
  'audio_output',
] as const;
export type PriceComponent = (typeof PRICE_COMPONENTS)[number];

/** Prices in integer pico-dollars (1e-12 USD) per token. */
export type Rates = Partial<Record<PriceComponent, bigint>>;

/** Rates by the length of the prompt: a tier replaces the base rates for the whole call once it is longer than `abovePromptTokens`. */
export type TieredRates = { rates: Rates; tiers: readonly { abovePromptTokens: number; rates: Rates }[] };

/** A price list of one model. */
export type Price = TieredRates & {
  /** What it costs under a tier of service, by the vendor's name for it. Nothing is inherited: it is a price list of its own. */
  services?: Readonly<Record<string, TieredRates>>;
  /** Who says so (a catalog snapshot, the operator's config) and since when (ISO date). */
  source: string;
  date: string;
  /** The vendor's name of the model that this is the price of, where it was taken for a dated name of that one. */
  inferredFrom?: string;
};

export type LineItem = { component: PriceComponent; tokens: number; rate: bigint; amount: NanoDollars };

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

/** What vendors call the tier of service that is billed by the plain price. */
const PLAIN_SERVICES: ReadonlySet<string> = new Set(['default', 'standard', 'auto', 'on_demand', 'scale']);

/**
 * Prices one call. Each line item is rounded half up to nano-dollars; the total is their sum.
 * Every token is billed once: cached, cache-written and audio tokens are taken out of the plain ones.
 */
export function bill(price: Price | null, usage: Usage): Bill {
  const rates = price === null ? NO_RATES : ratesFor(price, usage.inputTokens, usage.serviceTier);
  const one: Bill = { items: [], total: 0n };
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, audioInputTokens, audioOutputTokens } = usage;
  // Only `reasoning` may lack a price of its own: without one it is plain output, as every vendor bills it.
  const reasoning = rates.reasoning === undefined ? 0 : usage.reasoningTokens;
  put(one, rates, 'input', usage.inputTokens - cacheReadTokens - cacheWriteTokens - audioInputTokens);
  put(one, rates, 'cache_read', cacheReadTokens);
  put(one, rates, 'cache_write', cacheWriteTokens - cacheWrite1hTokens);
  put(one, rates, 'cache_write_1h', cacheWrite1hTokens);
  put(one, rates, 'output', usage.outputTokens - reasoning - audioOutputTokens);
  put(one, rates, 'reasoning', reasoning);
  put(one, rates, 'audio_input', audioInputTokens);
  put(one, rates, 'audio_output', audioOutputTokens);
  return one;
}

/** /!\ Hot path: most calls use two components, and cost nothing for the others. */
function put(to: Bill, rates: Rates, component: PriceComponent, tokens: number): void {
  if (tokens <= 0) return;
  const rate = rates[component];
  if (rate === undefined) {
    to.total = null;
    to.unpriced ??= [];
    to.unpriced.push(component);
    return;
  }
  const amount = (BigInt(tokens) * rate + HALF_NANO) / PICO_PER_NANO;
  to.items.push({ component, tokens, rate, amount });
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
 * The most a call can cost: every prompt token at the dearest input rate, and its whole output. `null` where the price does
 * not say what the prompt costs, or an answer that the call may have: nothing could be held for it.
 * @param anyTier the call may be served under any tier of service that the price knows, and not the plain one alone
 */
export function highestCost(price: Price, inputTokens: number, maxOutput: number, anyTier = false): NanoDollars | null {
  let most = highestOf(ratesFor(price, inputTokens), inputTokens, maxOutput);
  if (most === null || !anyTier) return most;
  for (const tier of Object.keys(price.services ?? {})) {
    most = atLeast(most, highestOf(ratesFor(price, inputTokens, tier), inputTokens, maxOutput) ?? 0n);
  }
  return most;
}

function highestOf(rates: Rates, inputTokens: number, maxOutput: number): NanoDollars | null {
  if (rates.input === undefined || (rates.output === undefined && maxOutput > 0)) return null;
  const input = dearest(rates.input, rates.cache_write, rates.cache_write_1h, rates.audio_input);
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
 * name. Under a tier of service that the price has no list for there are none; a price without lists covers them all.
 */
export function ratesFor(price: Price, promptTokens: number, serviceTier?: string): Rates {
  const list = listOf(price, serviceTier);
  let best: { abovePromptTokens: number; rates: Rates } | undefined;
  for (const tier of list.tiers) {
    if (promptTokens > tier.abovePromptTokens && tier.abovePromptTokens >= (best?.abovePromptTokens ?? 0)) best = tier;
  }
  return best === undefined ? list.rates : { ...list.rates, ...best.rates };
}

function listOf(price: Price, serviceTier: string | undefined): TieredRates {
  const { services } = price;
  if (serviceTier === undefined || services === undefined || PLAIN_SERVICES.has(serviceTier)) return price;
  return (Object.hasOwn(services, serviceTier) ? services[serviceTier] : undefined) ?? NO_LIST;
}

const NO_LIST: TieredRates = { rates: NO_RATES, tiers: [] };

/** Pico-dollars per token from the dollars per million tokens that vendors publish: `0.15` is `150000n`. */
export function picoPerToken(dollarsPerMillion: number): bigint {
  return BigInt(Math.round(dollarsPerMillion * 1e6));
}

/** An amount from dollars as people write them: not negative, with at most nine decimals. */
export function nanoDollars(dollars: number): NanoDollars {
  // The digits that were written, not those of the binary number next to them; below that, they would have an exponent.
  const written = dollars < 1e-6 ? dollars.toFixed(9) : String(dollars);
  const [whole = '', fraction = ''] = written.split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
}

/** Dollars per million tokens, for a caller's JSON. */
export function dollarsPerMillion(pico: bigint): number {
  return Number(pico) / 1e6;
}

/** Dollars, every digit that counts: `0.0001275`, `12.5`, `0`. */
export function dollarsText(amount: NanoDollars): string {
  const digits = amount.toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -9) : `${digits.slice(0, -9)}.${fraction}`;
}

/** Dollars, for a caller's JSON. */
export function dollars(amount: NanoDollars): number {
  return Number(amount) / 1e9;
}

import type { Usage } from './usage.ts';

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

/** A price list of one model. A tier replaces the base rates for the whole call once the prompt is longer than `abovePromptTokens`. */
export type Price = {
  rates: Rates;
  tiers: readonly { abovePromptTokens: number; rates: Rates }[];
  /** Who says so (a catalog snapshot, the operator's config) and since when (ISO date). */
  source: string;
  date: string;
};

export type LineItem = { component: PriceComponent; tokens: number; rate: bigint; amount: NanoDollars };

/** What the source of a product's price begins with: it is the caller's, and tells nothing of what a vendor charges. */
export const PRODUCT_PRICE = 'route ';

/** The bill of one call: `total` is the sum of the items, or `null` where a used component has no price. */
export type Bill = { items: LineItem[]; total: NanoDollars | null };

const PICO_PER_NANO = 1000n;
const HALF_NANO = PICO_PER_NANO / 2n;
const NO_RATES: Rates = {};

/**
 * Prices one call. Each line item is rounded half up to nano-dollars; the total is their sum.
 * Every token is billed once: cached, cache-written and audio tokens are taken out of the plain ones.
 */
export function bill(price: Price | null, usage: Usage): Bill {
  const rates = price === null ? NO_RATES : ratesFor(price, usage.inputTokens);
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
    return;
  }
  const amount = (BigInt(tokens) * rate + HALF_NANO) / PICO_PER_NANO;
  to.items.push({ component, tokens, rate, amount });
  if (to.total !== null) to.total += amount;
}

/**
 * What a bill takes of a limit: its total. Where that is unknown, what was held for the call (`null`: nothing was), or its
 * known items, if they come to more: a cost that nobody knows is no cost of nothing.
 */
export function countedCost({ items, total }: Bill, held: NanoDollars | null): NanoDollars {
  if (total !== null) return total;
  return atLeast(
    held ?? 0n,
    items.reduce((sum, { amount }) => sum + amount, 0n),
  );
}

/** The larger of two amounts. */
export function atLeast(one: NanoDollars, other: NanoDollars): NanoDollars {
  return one > other ? one : other;
}

/** The rates that hold for a prompt of this length: the highest tier it passes, else the base. A tier inherits what it does not name. */
export function ratesFor(price: Price, promptTokens: number): Rates {
  let best: { abovePromptTokens: number; rates: Rates } | undefined;
  for (const tier of price.tiers) {
    if (promptTokens > tier.abovePromptTokens && tier.abovePromptTokens >= (best?.abovePromptTokens ?? 0)) best = tier;
  }
  return best === undefined ? price.rates : { ...price.rates, ...best.rates };
}

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

/** Dollars, for a caller's JSON. */
export function dollars(amount: NanoDollars): number {
  return Number(amount) / 1e9;
}

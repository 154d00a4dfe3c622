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

/** The bill of one call: `total` is the sum of the items, or `null` where a used component has no price. */
export type Bill = { items: LineItem[]; total: NanoDollars | null };

const PICO_PER_NANO = 1000n;

/**
 * Prices one call. Each line item is rounded half up to nano-dollars; the total is their sum.
 * Every token is billed once: cached, cache-written and audio tokens are taken out of the plain ones.
 */
export function bill(price: Price | null, usage: Usage): Bill {
  const rates = price === null ? {} : ratesFor(price, usage.inputTokens);
  const items: LineItem[] = [];
  let total: NanoDollars | null = 0n;
  for (const [component, tokens] of countsByComponent(usage, rates)) {
    const rate = rates[component];
    if (rate === undefined) {
      total = null;
      continue;
    }
    const amount = (BigInt(tokens) * rate + PICO_PER_NANO / 2n) / PICO_PER_NANO;
    items.push({ component, tokens, rate, amount });
    if (total !== null) total += amount;
  }
  return { items, total };
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

/** Dollars per million tokens, for a caller's JSON. */
export function dollarsPerMillion(pico: bigint): number {
  return Number(pico) / 1e6;
}

/** Dollars, for a caller's JSON. */
export function dollars(amount: NanoDollars): number {
  return Number(amount) / 1e9;
}

/** Only `reasoning` may lack a price of its own: without one it is plain output, as every vendor bills it. */
function countsByComponent(usage: Usage, rates: Rates): Map<PriceComponent, number> {
  const reasoning = rates.reasoning === undefined ? 0 : usage.reasoningTokens;
  const counts = new Map<PriceComponent, number>();
  const put = (component: PriceComponent, tokens: number) => {
    if (tokens > 0) counts.set(component, tokens);
  };
  put('input', usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens - usage.audioInputTokens);
  put('cache_read', usage.cacheReadTokens);
  put('cache_write', usage.cacheWriteTokens - usage.cacheWrite1hTokens);
  put('cache_write_1h', usage.cacheWrite1hTokens);
  put('output', usage.outputTokens - reasoning - usage.audioOutputTokens);
  put('reasoning', reasoning);
  put('audio_input', usage.audioInputTokens);
  put('audio_output', usage.audioOutputTokens);
  return counts;
}

import { type Price, ratesFor } from '../core/money.ts';
import type { CallTraits } from '../core/route.ts';

/** Nano-dollars per token for prompts longer than `above` tokens; `null` without a price. */
export type CostRates = { above: number; input: number | null; cacheRead: number | null; output: number | null };

/** The expected output tokens of an answer, if that many are allowed: about those of a chat. */
const TYPICAL_OUTPUT_TOKENS = 400;
const PICO_PER_NANO = 1000;

/** The rates of a price, for the longest prompts first; empty without a price. */
export function costRates(price: Price | null): readonly CostRates[] {
  if (price === null) return [];
  const bounds = new Set([-1, ...price.tiers.map(({ abovePromptTokens }) => abovePromptTokens)]);
  return [...bounds]
    .sort((one, other) => other - one)
    .map((above) => {
      const { input, cache_read, output } = ratesFor(price, above + 1);
      return { above, input: nano(input), cacheRead: nano(cache_read), output: nano(output) };
    });
}

/** The rates for a prompt of this length; `null` without any. */
export function ratesAt(rates: readonly CostRates[], promptTokens: number): CostRates | null {
  for (const one of rates) if (promptTokens > one.above) return one;
  return null;
}

/**
 * The expected cost of a call, in nano-dollars: its prompt at the input rate, the cached part at the cache rate (at the
 * input rate if there is none), and an answer of 400 tokens, or fewer if fewer are allowed. `null` if one of the prices
 * is unknown. /!\ Hot path: numbers instead of bigints, since it is not used for billing.
 */
export function expectedCost(
  rates: readonly CostRates[],
  traits: CallTraits,
  maxOutput: number | null,
  cachedTokens: number,
): number | null {
  const { promptTokens } = traits;
  const rate = ratesAt(rates, promptTokens);
  if (rate === null || rate.input === null) return null;
  const cached = Math.min(cachedTokens, promptTokens);
  const prompt = (promptTokens - cached) * rate.input + cached * (rate.cacheRead ?? rate.input);
  const output = expectedOutput(traits, maxOutput);
  if (output === 0) return prompt;
  return rate.output === null ? null : prompt + output * rate.output;
}

function expectedOutput({ surface, maxOutputTokens }: CallTraits, maxOutput: number | null): number {
  if (surface === 'openai-embeddings') return 0;
  return Math.min(TYPICAL_OUTPUT_TOKENS, maxOutputTokens ?? TYPICAL_OUTPUT_TOKENS, maxOutput ?? TYPICAL_OUTPUT_TOKENS);
}

function nano(pico: bigint | undefined): number | null {
  return pico === undefined ? null : Number(pico) / PICO_PER_NANO;
}

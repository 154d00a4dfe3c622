import { type Price, ratesFor } from '../core/money.ts';
import type { CallTraits } from '../core/route.ts';

/** Nano-dollars per token of prompts that are longer than `above`; `null` where there is no price. */
export type CostRates = { above: number; input: number | null; cacheRead: number | null; output: number | null };

/** The output tokens that an answer is expected to have, if that many are allowed: about what a chat has. */
const TYPICAL_OUTPUT_TOKENS = 400;
const PICO_PER_NANO = 1000;

/** The rates of a price, the one for the longest prompts first; none where there is no price. */
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

/** The rates for a prompt of this length; `null` where there are none. */
export function ratesAt(rates: readonly CostRates[], promptTokens: number): CostRates | null {
  for (const one of rates) if (promptTokens > one.above) return one;
  return null;
}

/**
 * What a call is expected to cost, in nano-dollars: its prompt at the input rate, as much of it as is cached there at the
 * rate of that (at the input rate where that has no price), and an answer of 400 tokens, or of as many as it may have
 * where that is less. `null` where the price of either is not known.
 * /!\ Hot path: numbers instead of bigints, since no bill is made of it.
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

import type { ListPrices } from '../core/quirks.ts';

/**
 * The format of OpenRouter's list, which it also requires of vendors: amounts per token as text. Any vendor's list is
 * read in this format if `prompt` and `completion` are text.
 */
export const PRICES_PER_TOKEN: ListPrices = {
  at: 'pricing',
  perTokens: 1,
  rates: {
    prompt: 'input',
    completion: 'output',
    input_cache_read: 'cache_read',
    input_cache_write: 'cache_write',
    internal_reasoning: 'reasoning',
    audio: 'audio_input',
  },
  search: 'web_search',
  source: 'https://openrouter.ai/docs/guides/community/for-providers',
};

export const OPENROUTER_PRICES: ListPrices = {
  ...PRICES_PER_TOKEN,
  hasFree: true,
  source: 'https://openrouter.ai/docs/api-reference/list-available-models',
};

export const VERCEL_PRICES: ListPrices = {
  at: 'pricing',
  perTokens: 1,
  rates: { input: 'input', output: 'output', input_cache_read: 'cache_read', input_cache_write: 'cache_write' },
  search: 'web_search',
  source: 'https://github.com/RooCodeInc/Roo-Code (its reader of this list)',
};

export const TOGETHER_PRICES: ListPrices = {
  at: 'pricing',
  perTokens: 1_000_000,
  rates: { input: 'input', output: 'output', cached_input: 'cache_read' },
  beside: ['finetune', 'hourly', 'base'],
  source: 'https://github.com/togethercomputer/together-typescript/blob/main/src/resources/models/models.ts',
};

export const DEEPINFRA_PRICES: ListPrices = {
  at: 'metadata.pricing',
  perTokens: 1_000_000,
  rates: { input_tokens: 'input', output_tokens: 'output', cache_read_tokens: 'cache_read' },
  source: 'https://github.com/RooCodeInc/Roo-Code (its reader of this list)',
};

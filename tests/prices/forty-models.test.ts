import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog, shippedCatalogText } from '../../src/catalog/catalog.ts';
import { bill, priceIn } from '../../src/core/money.ts';
import { type Usage, usageOf } from '../../src/core/usage.ts';

/**
 * Bills by the catalog that ships against figures written by hand. These are copied from LiteLLM's
 * model_prices_and_context_window.json (package 1.109.1, November 2026), in dollars per token or per search: what was used times
 * what it costs. The last column is what they come to in nano-dollars, each part rounded half up.
 *
 * A model `in` a region is that of a provider whose `region` it is, and the figures are those of LiteLLM's row for the region.
 */
const BILLS: readonly [model: string, usage: Partial<Usage>, figures: string, nanoDollars: bigint][] = [
  [
    'openai/gpt-6-astra',
    {
      inputTokens: 1000,
      cacheReadTokens: 100,
      cacheWriteTokens: 100,
      cacheWritesByLife: { '12h': 40 },
      outputTokens: 300,
      toolCalls: { web_search: 2 },
    },
    '800 × 1e-5 + 100 × 1e-6 + 60 × 125e-7 + 40 × 25e-6 + 300 × 5e-5 + 2 × 1e-2',
    44_850_000n,
  ],
  [
    'openai/gpt-6-astra',
    {
      inputTokens: 300_000,
      cacheWriteTokens: 1000,
      cacheWritesByLife: { '12h': 1000 },
      outputTokens: 300,
      serviceTier: 'ultrafast',
    },
    '299000 × 12e-5 + 1000 × 3e-4 + 300 × 45e-5',
    36_315_000_000n,
  ],
  [
    'openai/gpt-6-sol',
    { inputTokens: 1000, cacheReadTokens: 100, outputTokens: 300, serviceTier: 'flex' },
    '900 × 1e-6 + 100 × 1e-7 + 300 × 5e-6',
    2_410_000n,
  ],
  [
    'openai/gpt-6.1-sol',
    { inputTokens: 1000, outputTokens: 300, serviceTier: 'priority', toolCalls: { web_search: 1 } },
    '1000 × 4e-6 + 300 × 2e-5 + 1 × 1e-2',
    20_000_000n,
  ],
  [
    'openai/gpt-6.1-terra',
    { inputTokens: 1000, cacheWriteTokens: 100, cacheWritesByLife: { '12h': 100 }, outputTokens: 300 },
    '900 × 1e-6 + 100 × 25e-7 + 300 × 5e-6',
    2_650_000n,
  ],
  [
    'openai/gpt-6-luna',
    { inputTokens: 1000, outputTokens: 300, cacheReadTokens: 200 },
    '800 × 1e-7 + 200 × 1e-8 + 300 × 5e-7',
    232_000n,
  ],
  [
    'openai/gpt-5.6-sol',
    { inputTokens: 300_000, cacheWriteTokens: 100, outputTokens: 50 },
    '299900 × 8e-6 + 100 × 1e-5 + 50 × 3e-5',
    2_401_700_000n,
  ],
  [
    'openai/gpt-5.5',
    { inputTokens: 1000, outputTokens: 300, serviceTier: 'batch' },
    '1000 × 25e-7 + 300 × 15e-6',
    7_000_000n,
  ],
  [
    'openai/gpt-5.4-mini',
    { inputTokens: 1000, outputTokens: 300, cacheReadTokens: 333 },
    '667 × 75e-8 + 333 × 75e-9 + 300 × 45e-7',
    1_875_225n,
  ],
  [
    'openai/gpt-5.1',
    { inputTokens: 1000, outputTokens: 300, serviceTier: 'priority' },
    '1000 × 25e-7 + 300 × 2e-5',
    8_500_000n,
  ],
  ['openai/gpt-5.2-pro', { inputTokens: 1000, outputTokens: 300 }, '1000 × 21e-6 + 300 × 168e-6', 71_400_000n],
  [
    'openai/gpt-4.1',
    { inputTokens: 1000, outputTokens: 300, toolCalls: { web_search: 3 } },
    '1000 × 2e-6 + 300 × 8e-6 + 3 × 25e-3',
    79_400_000n,
  ],
  [
    'openai/gpt-4o',
    { inputTokens: 1000, outputTokens: 300, cacheReadTokens: 999 },
    '1 × 25e-7 + 999 × 125e-8 + 300 × 1e-5',
    4_251_250n,
  ],
  [
    'openai/o3',
    { inputTokens: 1000, outputTokens: 300, cacheReadTokens: 1 },
    '999 × 2e-6 + 1 × 5e-7 + 300 × 8e-6',
    4_398_500n,
  ],
  ['openai/text-embedding-3-small', { inputTokens: 1234 }, '1234 × 2e-8', 24_680n],
  [
    'anthropic/claude-opus-5-5',
    {
      inputTokens: 1000,
      cacheReadTokens: 100,
      cacheWriteTokens: 200,
      cacheWritesByLife: { '1h': 50 },
      outputTokens: 300,
      toolCalls: { web_search: 2 },
    },
    '700 × 4e-6 + 100 × 2e-7 + 150 × 5e-6 + 50 × 8e-6 + 300 × 2e-5 + 2 × 1e-2',
    29_970_000n,
  ],
  [
    'anthropic/claude-sonnet-5-5',
    {
      inputTokens: 1000,
      cacheReadTokens: 100,
      cacheWriteTokens: 200,
      cacheWritesByLife: { '1h': 50 },
      outputTokens: 300,
      toolCalls: { web_search: 2 },
    },
    '700 × 2e-6 + 100 × 1e-7 + 150 × 25e-7 + 50 × 4e-6 + 300 × 1e-5 + 2 × 1e-2',
    24_985_000n,
  ],
  [
    'anthropic/claude-haiku-5-5',
    { inputTokens: 120_000, cacheWriteTokens: 100, cacheWritesByLife: { '1h': 100 }, outputTokens: 300 },
    '119900 × 5e-7 + 100 × 1e-6 + 300 × 25e-7',
    60_800_000n,
  ],
  [
    'anthropic/claude-fable-5-1',
    { inputTokens: 1000, cacheReadTokens: 500, outputTokens: 300, serviceTier: 'batch' },
    '500 × 5e-6 + 500 × 125e-9 + 300 × 25e-6',
    10_062_500n,
  ],
  [
    'anthropic/claude-haiku-4-5-20251001',
    { inputTokens: 1000, cacheWriteTokens: 200, cacheWritesByLife: { '1h': 50 }, outputTokens: 300 },
    '800 × 1e-6 + 150 × 125e-8 + 50 × 2e-6 + 300 × 5e-6',
    2_587_500n,
  ],
  [
    'openai/gpt-5.6',
    {
      inputTokens: 1000,
      cacheReadTokens: 100,
      cacheWriteTokens: 100,
      cacheWritesByLife: { '12h': 40 },
      outputTokens: 300,
    },
    '800 × 4e-6 + 100 × 4e-7 + 60 × 5e-6 + 40 × 1e-5 + 300 × 2e-5',
    9_940_000n,
  ],
  [
    'anthropic/claude-mythos-5',
    { inputTokens: 1000, cacheWriteTokens: 200, outputTokens: 300 },
    '800 × 1e-5 + 200 × 125e-7 + 300 × 5e-5',
    25_500_000n,
  ],
  [
    'anthropic/claude-opus-4-7',
    { inputTokens: 1000, outputTokens: 300, toolCalls: { web_search: 1, web_fetch: 4 } },
    '1000 × 5e-6 + 300 × 25e-6 + 1 × 1e-2 + 4 × 0',
    22_500_000n,
  ],
  [
    'azure/gpt-6-sol in eu',
    { inputTokens: 1000, cacheReadTokens: 100, outputTokens: 300 },
    '900 × 24e-7 + 100 × 24e-8 + 300 × 12e-6',
    5_784_000n,
  ],
  [
    'azure/gpt-5.1 in us-gov',
    { inputTokens: 1000, outputTokens: 300 },
    '1000 × 171875e-11 + 300 × 1375e-8',
    5_843_750n,
  ],
  ['azure/gpt-5.4 in us', { inputTokens: 1000, outputTokens: 300 }, '1000 × 275e-8 + 300 × 165e-7', 7_700_000n],
  ['azure/gpt-5.5', { inputTokens: 1000, outputTokens: 300 }, '1000 × 5e-6 + 300 × 3e-5', 14_000_000n],
  [
    'gemini/gemini-2.5-flash',
    { inputTokens: 1000, audioInputTokens: 200, outputTokens: 300, reasoningTokens: 40 },
    '800 × 3e-7 + 200 × 1e-6 + 260 × 25e-7 + 40 × 25e-7',
    1_190_000n,
  ],
  ['gemini/gemini-2.5-pro', { inputTokens: 200_001, outputTokens: 300 }, '200001 × 25e-7 + 300 × 15e-6', 504_502_500n],
  ['gemini/gemini-3.1-pro-preview', { inputTokens: 1000, outputTokens: 300 }, '1000 × 2e-6 + 300 × 12e-6', 5_600_000n],
  ['gemini/gemini-3.8-flash', { inputTokens: 1000, outputTokens: 300 }, '1000 × 75e-8 + 300 × 375e-8', 1_875_000n],
  ['xai/grok-4.7', { inputTokens: 1000, outputTokens: 300 }, '1000 × 2e-6 + 300 × 6e-6', 3_800_000n],
  [
    'deepseek/deepseek-v4-pro',
    { inputTokens: 1000, outputTokens: 300, cacheReadTokens: 640 },
    '360 × 132e-8 + 640 × 44e-9 + 300 × 396e-8',
    1_691_360n,
  ],
  [
    'groq/openai/gpt-oss-120b',
    { inputTokens: 1000, outputTokens: 300, toolCalls: { web_search: 1 } },
    '1000 × 15e-8 + 300 × 6e-7 + 1 × 5e-3',
    5_330_000n,
  ],
  ['mistral/mistral-large-4', { inputTokens: 1000, outputTokens: 300 }, '1000 × 136e-8 + 300 × 418e-8', 2_614_000n],
  ['moonshot/kimi-k3', { inputTokens: 1000, outputTokens: 300 }, '1000 × 3e-6 + 300 × 15e-6', 7_500_000n],
  ['zai/glm-5.3', { inputTokens: 1000, outputTokens: 300 }, '1000 × 14e-7 + 300 × 44e-7', 2_720_000n],
  [
    'perplexity/sonar',
    { inputTokens: 1000, outputTokens: 300, toolCalls: { web_search_low: 1 } },
    '1000 × 1e-6 + 300 × 1e-6 + 1 × 5e-3',
    6_300_000n,
  ],
  [
    'perplexity/sonar-pro',
    { inputTokens: 1000, outputTokens: 300, toolCalls: { web_search_high: 1 } },
    '1000 × 3e-6 + 300 × 15e-6 + 1 × 14e-3',
    21_500_000n,
  ],
  ['together/zai-org/GLM-5.2', { inputTokens: 1000, outputTokens: 300 }, '1000 × 14e-7 + 300 × 44e-7', 2_720_000n],
  [
    'fireworks/accounts/fireworks/models/kimi-k3',
    { inputTokens: 1000, outputTokens: 300 },
    '1000 × 3e-6 + 300 × 15e-6',
    7_500_000n,
  ],
  ['cohere/command-a-plus-05-2026', { inputTokens: 1000, outputTokens: 300 }, '1000 × 0 + 300 × 0', 0n],
  ['cerebras/qwen-3.8-27b', { inputTokens: 1000, outputTokens: 300 }, '1000 × 99e-8 + 300 × 149e-8', 1_437_000n],
  ['novita/moonshotai/kimi-k3', { inputTokens: 1000, outputTokens: 300 }, '1000 × 3e-6 + 300 × 15e-6', 7_500_000n],
  ['deepinfra/Qwen/Qwen3.8-Max', { inputTokens: 1000, outputTokens: 300 }, '1000 × 165e-8 + 300 × 4951e-9', 3_135_300n],
  ['nebius/Qwen/Qwen3.8-27B', { inputTokens: 1000, outputTokens: 300 }, '1000 × 45e-8 + 300 × 3e-6', 1_350_000n],
];

const catalog = loadCatalog([{ text: shippedCatalogText(), place: 'the shipped catalog' }]);

function priceOf(named: string) {
  const [name = '', region] = named.split(' in ');
  const vendor = name.slice(0, name.indexOf('/'));
  const price = catalog.lookup(vendor, name.slice(vendor.length + 1))?.price ?? null;
  return region === undefined || price === null ? price : priceIn(price, region);
}

test('forty models and more', () => {
  assert.ok(new Set(BILLS.map(([model]) => model)).size >= 40);
});

for (const [model, usage, figures, nanoDollars] of BILLS) {
  test(`${model}: ${figures}`, () => {
    const { items, total, unpriced } = bill(priceOf(model), usageOf(usage));
    assert.deepEqual([unpriced, total], [undefined, nanoDollars]);
    const billed = items.reduce((sum, { component, quantity }) => sum + (component.includes(':') ? 0 : quantity), 0);
    assert.equal(billed, (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), 'every token once');
  });
}

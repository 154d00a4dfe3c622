import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bill, type Price } from '../core/money.ts';
import type { Usage } from '../core/usage.ts';
import { traits } from '../testing/routes.ts';
import { seeded } from '../testing/seeded.ts';
import { costRates, expectedCost, ratesAt } from './expected-cost.ts';

const PRICE: Price = {
  rates: { input: 1_000_000n, cache_read: 100_000n, output: 4_000_000n },
  tiers: [
    { abovePromptTokens: 200_000, rates: { input: 2_000_000n } },
    { abovePromptTokens: 10_000, rates: { output: 5_000_000n } },
  ],
  source: 'test',
  date: '2026-01-01',
};
const RATES = costRates(PRICE);

test('a prompt, what of it is cached, and an answer of 400 tokens, or of as many as it may have', () => {
  const call = traits({ promptTokens: 1000 });
  assert.equal(expectedCost(RATES, call, null, 0), 1000 * 1000 + 400 * 4000);
  assert.equal(expectedCost(RATES, call, null, 600), 400 * 1000 + 600 * 100 + 400 * 4000);
  assert.equal(expectedCost(RATES, call, null, 9999), 1000 * 100 + 400 * 4000, 'no more is cached than there is');
  assert.equal(expectedCost(RATES, { ...call, maxOutputTokens: 10 }, null, 0), 1000 * 1000 + 10 * 4000);
  assert.equal(expectedCost(RATES, { ...call, maxOutputTokens: 9000 }, 100, 0), 1000 * 1000 + 100 * 4000);
});

test('without a price of what is used it is not known; a cache without one costs as the rest', () => {
  const call = traits({ promptTokens: 1000 });
  assert.equal(expectedCost(costRates(null), call, null, 0), null);
  const input = costRates({ ...PRICE, rates: { input: 1_000_000n }, tiers: [] });
  assert.equal(expectedCost(input, call, null, 0), null);
  assert.equal(expectedCost(input, { ...call, surface: 'openai-embeddings' }, null, 500), 1_000_000);
});

test('it is what a call of such a usage is billed', () => {
  const random = seeded(4);
  for (let round = 0; round < 500; round += 1) {
    const promptTokens = Math.floor(random() * 400_000);
    const cacheReadTokens = Math.floor(random() * promptTokens);
    const usage: Usage = {
      inputTokens: promptTokens,
      cacheReadTokens,
      cacheWriteTokens: 0,
      outputTokens: 400,
      reasoningTokens: 0,
      audioInputTokens: 0,
      audioOutputTokens: 0,
    };
    assert.equal(
      expectedCost(RATES, traits({ promptTokens }), null, cacheReadTokens),
      Number(bill(PRICE, usage).total),
    );
  }
  assert.equal(ratesAt(RATES, 10_000)?.output, 4000);
  assert.equal(ratesAt(RATES, 10_001)?.output, 5000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bill } from '../core/money.ts';
import { usageOf } from '../core/usage.ts';
import { factsOf } from './facts.ts';

const CACHED = usageOf({
  inputTokens: 1_000,
  cacheReadTokens: 600,
  cacheWriteTokens: 300,
  cacheWritesByLife: { '1h': 100 },
  outputTokens: 10,
});

const costAt = (price: Parameters<typeof factsOf>[0]['price'], usage = CACHED) =>
  bill(factsOf({ price }).price ?? null, usage).total;

test('a price of input and output alone bills cached tokens as input, in its tiers too', () => {
  const price = { input_per_1m: 2, output_per_1m: 4 };
  assert.equal(costAt(price), 1_000n * 2_000n + 10n * 4_000n);
  const tiers = [{ above_prompt_tokens: 500, input_per_1m: 3 }];
  assert.equal(costAt({ ...price, tiers }), 1_000n * 3_000n + 10n * 4_000n);
});

test('a price that names some rates of caches leaves the others unknown', () => {
  const price = { input_per_1m: 2, output_per_1m: 4, cache_write_per_1m: 5 };
  assert.equal(costAt(price), null);
  assert.equal(
    costAt({ input_per_1m: 2, output_per_1m: 4, tiers: [{ above_prompt_tokens: 1, cache_read_per_1m: 1 }] }),
    null,
  );
});

test('a price has lives of caches, tiers of service, tools and regions by their names', () => {
  const { price } = factsOf({
    price: {
      input_per_1m: 2,
      output_per_1m: 4,
      cache_write_1h_per_1m: 7,
      cache_writes_per_1m: { '30m': 5, '12h': 9 },
      services: { flex: { input_per_1m: 1, tiers: [{ above_prompt_tokens: 10, input_per_1m: 3 }] } },
      per_call: { web_search: 0.0125 },
      regions: { us: 1.1 },
      date: '2026-11-22',
    },
  });
  assert.deepEqual(price, {
    rates: {
      ...{ input: 2_000_000n, output: 4_000_000n, cache_write: 5_000_000n },
      ...{ cache_write_30m: 5_000_000n, cache_write_1h: 7_000_000n, cache_write_12h: 9_000_000n },
    },
    tiers: [],
    services: {
      flex: { rates: { input: 1_000_000n }, tiers: [{ abovePromptTokens: 10, rates: { input: 3_000_000n } }] },
    },
    tools: { web_search: 12_500_000_000n },
    regions: { us: 1_100_000n },
    source: 'headgate.yaml',
    date: '2026-11-22',
  });
});

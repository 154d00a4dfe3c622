import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bill } from '../core/money.ts';
import { usageOf } from '../core/usage.ts';
import { factsOf } from './facts.ts';

const CACHED = usageOf({
  inputTokens: 1_000,
  cacheReadTokens: 600,
  cacheWriteTokens: 300,
  cacheWrite1hTokens: 100,
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

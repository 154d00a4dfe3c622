import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bill } from '../core/money.ts';
import { usageOf } from '../core/usage.ts';
import { productPrice } from './product-price.ts';

const NEVER = (path: readonly (string | number)[], message: string) => assert.fail(`${path.join('.')} ${message}`);

test('what a product’s price does not name costs what input or output costs', () => {
  const price = productPrice({ input_per_1m: 0.2, output_per_1m: 0.8 }, 'route acme/fast', NEVER);
  const usage = usageOf({
    inputTokens: 2000,
    cacheReadTokens: 1500,
    cacheWriteTokens: 100,
    cacheWritesByLife: { '1h': 50 },
    audioInputTokens: 10,
    outputTokens: 100,
    audioOutputTokens: 20,
    reasoningTokens: 30,
  });
  assert.equal(bill(price, usage).total, 2000n * 200n + 100n * 800n);
});

test('what it names holds, also in a tier that does not name it', () => {
  const price = productPrice(
    {
      input_per_1m: 1,
      output_per_1m: 2,
      cache_read_per_1m: 0.1,
      tiers: [{ above_prompt_tokens: 1000, input_per_1m: 3 }],
    },
    'route acme/fast',
    NEVER,
  );
  const usage = usageOf({ inputTokens: 2000, cacheReadTokens: 500, cacheWriteTokens: 100 });
  assert.equal(bill(price, usage).total, 1400n * 3000n + 500n * 100n + 100n * 3000n);
});

test('a product’s price without input or output is a problem', () => {
  const told: string[] = [];
  productPrice({ cache_read_per_1m: 1 }, 'route acme/fast', (path, message) =>
    told.push(`${path.join('.')} ${message}`),
  );
  assert.deepEqual(told, [
    'price must set input_per_1m; write 0 if it is free',
    'price must set output_per_1m; write 0 if it is free',
  ]);
});

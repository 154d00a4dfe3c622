import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bill,
  countedCost,
  dollars,
  dollarsPerMillion,
  dollarsText,
  highestCost,
  nanoDollars,
  type Price,
  picoPerCall,
  picoPerToken,
  priceIn,
  type Rates,
  ratesFor,
  toolCost,
} from './money.ts';
import { type Usage, usageOf } from './usage.ts';

function priceOf(rates: Rates, tiers: Price['tiers'] = []): Price {
  return { rates, tiers, source: 'test', date: '2026-01-01' };
}

test('published prices become whole pico-dollars and come back as they were', () => {
  for (const [published, pico] of [
    [0.15, 150_000n],
    [0.075, 75_000n],
    [2.5, 2_500_000n],
    [0.000001, 1n],
    [0, 0n],
    [75, 75_000_000n],
    [0.1 + 0.2, 300_000n],
  ] as const) {
    assert.equal(picoPerToken(published), pico);
    assert.equal(picoPerToken(dollarsPerMillion(pico)), pico);
  }
});

test('nano-dollars become the dollars that a caller reads', () => {
  for (const [nano, amount] of [
    [12_500_000_000n, 12.5],
    [1n, 0.000000001],
    [0n, 0],
    [1_000_000_000_000_000n, 1_000_000],
  ] as const) {
    assert.equal(dollars(nano), amount);
  }
});

test('each line item is rounded half up to nano-dollars, and the total is the sum of the rounded ones', () => {
  for (const [tokens, rate, amount] of [
    [1, 499n, 0n],
    [1, 500n, 1n],
    [1, 1499n, 1n],
    [3, 500n, 2n],
    [1000, 150_000n, 150_000n],
  ] as const) {
    assert.deepEqual(bill(priceOf({ input: rate }), usageOf({ inputTokens: tokens })), {
      items: [{ component: 'input', quantity: tokens, rate, amount }],
      total: amount,
    });
  }
  // 0.5 + 0.5 would be 1 if the sum were rounded.
  const both = bill(priceOf({ input: 500n, output: 500n }), usageOf({ inputTokens: 1, outputTokens: 1 }));
  assert.equal(both.total, 2n);
});

test('every token is billed once: the special ones are taken out of the plain ones', () => {
  const rates: Rates = {
    input: 1000n,
    cache_read: 2000n,
    cache_write: 3000n,
    cache_write_1h: 4000n,
    output: 5000n,
    reasoning: 6000n,
    audio_input: 7000n,
    audio_output: 8000n,
  };
  const usage = usageOf({
    inputTokens: 100,
    cacheReadTokens: 10,
    cacheWriteTokens: 20,
    cacheWritesByLife: { '1h': 5 },
    audioInputTokens: 30,
    outputTokens: 50,
    reasoningTokens: 7,
    audioOutputTokens: 3,
  });
  const { items, total } = bill(priceOf(rates), usage);
  assert.deepEqual(
    items.map(({ component, quantity }) => [component, quantity]),
    [
      ['input', 40],
      ['cache_read', 10],
      ['cache_write', 15],
      ['cache_write_1h', 5],
      ['output', 40],
      ['reasoning', 7],
      ['audio_input', 30],
      ['audio_output', 3],
    ],
  );
  assert.equal(total, 40n + 20n + 45n + 20n + 200n + 42n + 210n + 24n);
});

test('reasoning without a price of its own is plain output', () => {
  const { items } = bill(priceOf({ input: 1n, output: 1000n }), usageOf({ outputTokens: 50, reasoningTokens: 20 }));
  assert.deepEqual(items, [{ component: 'output', quantity: 50, rate: 1000n, amount: 50n }]);
});

test('a component that was used and has no price makes the cost unknown, never 0', () => {
  const prices: readonly [Price | null, Partial<Usage>][] = [
    [null, { inputTokens: 1 }],
    [priceOf({ input: 1n }), { inputTokens: 1, outputTokens: 1 }],
    [priceOf({ input: 1n, output: 1n }), { inputTokens: 2, cacheReadTokens: 1 }],
    [priceOf({ input: 1n, output: 1n }), { inputTokens: 2, audioInputTokens: 1 }],
  ];
  for (const [price, counts] of prices) assert.equal(bill(price, usageOf(counts)).total, null);
  // The items with a price stay, so that the record shows them.
  assert.equal(bill(priceOf({ input: 1000n }), usageOf({ inputTokens: 4, outputTokens: 1 })).items.length, 1);
});

test('a bill names what has no price, and a whole one names nothing', () => {
  const usage = usageOf({ inputTokens: 9, cacheReadTokens: 2, audioInputTokens: 1, outputTokens: 3 });
  assert.deepEqual(bill(priceOf({ input: 1n, output: 1n }), usage).unpriced, ['cache_read', 'audio_input']);
  assert.deepEqual(bill(null, usage).unpriced, ['input', 'cache_read', 'output', 'audio_input']);
  assert.equal(bill(priceOf({ input: 1n, output: 1n }), usageOf({ inputTokens: 9 })).unpriced, undefined);
});

test('nothing used costs nothing, whatever the price; and a price of zero is a price', () => {
  assert.deepEqual(bill(null, usageOf({})), { items: [], total: 0n });
  assert.equal(bill(priceOf({ input: 0n, output: 0n }), usageOf({ inputTokens: 9, outputTokens: 9 })).total, 0n);
});

test('a tier holds above its length, for what it names, whatever the order of the tiers', () => {
  const long = { abovePromptTokens: 200, rates: { input: 4n } };
  const longer = { abovePromptTokens: 400, rates: { input: 8n, output: 9n } };
  for (const tiers of [
    [long, longer],
    [longer, long],
  ]) {
    const price = priceOf({ input: 2n, output: 3n }, tiers);
    assert.deepEqual(ratesFor(price, 200), { input: 2n, output: 3n });
    assert.deepEqual(ratesFor(price, 201), { input: 4n, output: 3n });
    assert.deepEqual(ratesFor(price, 401), { input: 8n, output: 9n });
  }
});

test('a tier of the prompt’s length counts cached tokens too, and prices the whole call', () => {
  const price = priceOf({ input: 1000n, cache_read: 1000n, output: 1000n }, [
    { abovePromptTokens: 100, rates: { input: 2000n, output: 3000n } },
  ]);
  const { total } = bill(price, usageOf({ inputTokens: 101, cacheReadTokens: 100, outputTokens: 10 }));
  assert.equal(total, 2n + 100n + 30n);
});

test('an amount that people write is kept to the last of nine decimals', () => {
  const amounts: [dollars: number, nano: bigint][] = [
    [500, 500_000_000_000n],
    [0.1, 100_000_000n],
    [0.000000001, 1n],
    [1.005, 1_005_000_000n],
    [999_999_999.99, 999_999_999_990_000_000n],
  ];
  for (const [dollars, nano] of amounts) assert.equal(nanoDollars(dollars), nano);
});

test('what counts against a limit is the total; where that is unknown, what was held, and at least what is known', () => {
  const items = [{ component: 'input', quantity: 5, rate: 150_000n, amount: 750n } as const];
  assert.equal(countedCost({ items, total: 750n }, 2_000n), 750n);
  assert.equal(countedCost({ items, total: null }, 2_000n), 2_000n);
  assert.equal(countedCost({ items, total: null }, 10n), 750n);
  assert.equal(countedCost({ items, total: null }, null), 750n);
  assert.equal(countedCost({ items: [], total: null }, null), 0n);
  assert.equal(countedCost({ items: [], total: 0n }, 2_000n), 0n, 'a call that cost nothing');
});

test('the tier of service that the vendor says it used is the one that is billed', () => {
  const price: Price = {
    rates: { input: 1_000_000n, output: 2_000_000n },
    tiers: [{ abovePromptTokens: 100, rates: { input: 3_000_000n } }],
    services: {
      flex: { rates: { input: 500_000n, output: 1_000_000n }, tiers: [] },
      fast: { rates: { input: 6_000_000n }, tiers: [{ abovePromptTokens: 100, rates: { input: 7_000_000n } }] },
    },
    source: 'test',
    date: '2026-11-22',
  };
  const cost = (inputTokens: number, serviceTier?: string, outputTokens = 0) =>
    bill(price, usageOf({ inputTokens, outputTokens, ...(serviceTier !== undefined && { serviceTier }) })).total;
  assert.equal(cost(10), 10_000n);
  for (const plain of ['default', 'standard', 'auto', 'on_demand', 'scale'])
    assert.equal(cost(10, plain), 10_000n, plain);
  assert.equal(cost(10, 'flex'), 5_000n);
  assert.equal(cost(101, 'flex'), 50_500n, 'a list of its own inherits no tier');
  assert.equal(cost(101, 'fast'), 707_000n);
  assert.equal(cost(10, 'fast', 1), null, 'a rate that its list lacks is not known');
  for (const unknown of ['priority', 'toString', '__proto__']) assert.equal(cost(10, unknown), null, unknown);
  const { services: _, ...plain } = price;
  assert.equal(bill(plain, usageOf({ inputTokens: 10, serviceTier: 'priority' })).total, 10_000n, 'covers them all');
});

test('a call that may be served under any tier of service is held for at the dearest', () => {
  const price: Price = {
    rates: { input: 1_000_000n, output: 2_000_000n },
    tiers: [],
    services: {
      flex: { rates: { input: 500_000n, output: 1_000_000n }, tiers: [] },
      fast: { rates: { input: 6_000_000n, output: 1_000_000n }, tiers: [] },
      half: { rates: { output: 9_000_000n }, tiers: [] },
    },
    source: 'test',
    date: '2026-11-22',
  };
  assert.equal(highestCost(price, 10, 10), 30_000n);
  assert.equal(highestCost(price, 10, 10, true), 70_000n);
  assert.equal(
    countedCost({ items: [], total: null }, null, price, usageOf({ inputTokens: 10, outputTokens: 10 })),
    70_000n,
  );
});

test('dollars have every digit that counts, and no more', () => {
  const amounts = [0n, 1n, 127_500n, 12_500_000_000n, 9_007_199_254_740_993n];
  assert.deepEqual(amounts.map(dollarsText), ['0', '0.000000001', '0.0001275', '12.5', '9007199.254740993']);
});

test('a cache of each life has its own rate, or the one of any life; a life without one is named', () => {
  const rates: Rates = { input: 1000n, cache_write: 2000n, cache_write_1h: 3000n, cache_write_12h: 4000n };
  const usage = usageOf({
    inputTokens: 100,
    cacheWriteTokens: 60,
    cacheWritesByLife: { '1h': 10, '12h': 20, '7d': 5 },
  });
  const known = bill(priceOf({ ...rates, cache_write_any: 9000n }), usage);
  assert.deepEqual(
    known.items.map(({ component, quantity, amount }) => [component, quantity, amount]),
    [
      ['input', 40, 40n],
      ['cache_write', 25, 50n],
      ['cache_write_1h', 10, 30n],
      ['cache_write_12h', 20, 80n],
      ['cache_write_7d', 5, 45n],
    ],
  );
  const unknown = bill(priceOf(rates), usage);
  assert.deepEqual([unknown.total, unknown.unpriced], [null, ['cache_write_7d']]);
});

test('a call of a vendor’s own tool has its own price, under every tier of service; without one it is named', () => {
  const price: Price = {
    ...priceOf({ input: 1000n }),
    services: { flex: { rates: { input: 500n }, tiers: [] } },
    tools: { web_search: picoPerCall(0.01), web_fetch: 0n },
  };
  const used = { inputTokens: 10, toolCalls: { web_search: 3, web_fetch: 2 } };
  assert.equal(bill(price, usageOf(used)).total, 10n + 30_000_000n);
  assert.equal(bill(price, usageOf({ ...used, serviceTier: 'flex' })).total, 5n + 30_000_000n);
  const other = bill(price, usageOf({ inputTokens: 10, toolCalls: { toString: 1, code_interpreter: 1 } }));
  assert.deepEqual([other.total, other.unpriced], [null, ['tool:toString', 'tool:code_interpreter']]);
});

test('a region multiplies what tokens cost, and nothing else; one that a list of regions lacks has no price', () => {
  const price: Price = {
    ...priceOf({ input: 1_250_001n, output: 10_000_000n }, [{ abovePromptTokens: 100, rates: { input: 2_000_000n } }]),
    services: { flex: { rates: { input: 500_000n }, tiers: [] } },
    tools: { web_search: 10_000_000n },
    regions: { us: 1_100_000n, eu: 1_200_000n },
  };
  const usage = usageOf({ inputTokens: 10, outputTokens: 1, toolCalls: { web_search: 1 } });
  assert.equal(bill(price, usage).total, 12_500n + 10_000n + 10_000n);
  assert.equal(bill(price, { ...usage, region: 'us' }).total, 13_750n + 11_000n + 10_000n);
  assert.equal(bill(priceIn(price, 'us'), usage).total, 13_750n + 11_000n + 10_000n);
  assert.equal(ratesFor(priceIn(price, 'eu'), 101).input, 2_400_000n);
  assert.equal(ratesFor(priceIn(price, 'eu'), 1, 'flex').input, 600_000n);
  assert.equal(priceIn(price, 'apac'), price, 'an operator’s own name for a place is none of the vendor’s');
  assert.deepEqual(bill(price, { ...usage, region: 'apac' }).unpriced, ['input', 'output']);
  const { regions: _, ...everywhere } = price;
  assert.equal(bill(everywhere, { ...usage, region: 'apac' }).total, 32_500n);
  assert.equal(highestCost(price, 10, 1), 15_001n + 12_000n, 'held for the dearest region');
});

test('a call of a vendor’s own tool is held at its price, rounded up, and where the price does not say for nothing', () => {
  const price = { ...priceOf({ input: 1n, output: 1n }), tools: { web_search: picoPerCall(0.01), web_fetch: 1n } };
  assert.equal(toolCost(price, 'web_search'), 10_000_000n);
  assert.equal(toolCost(price, 'web_fetch'), 1n);
  assert.equal(toolCost(price, 'toString'), 0n);
});

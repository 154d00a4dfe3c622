import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { type Price, picoPerToken } from '../core/money.ts';
import type { DialectId } from '../core/provider.ts';
import { model, provider, route, served } from '../testing/routes.ts';
import { answers, CHAT_USAGE, caller, completion, fails, Lab, refuses, SMALL_CHAT, START } from './fixtures.test.ts';
import type { PipelineSettings } from './parts.ts';

const FULL_DISK = new GatewayError('storage_unavailable', 'The disk is full.');

/** A price in dollars per million tokens. */
function priced(rates: Readonly<Record<string, number>>, date = '2026-01-01'): Price {
  const pico = Object.entries(rates).map(([component, dollars]) => [component, picoPerToken(dollars)]);
  return { rates: Object.fromEntries(pico), tiers: [], source: 'test', date };
}

function withPrice(id: string, price: Price | null) {
  return model(id, null, { price });
}

test('an intent is in the ledger before a byte goes to the vendor, and says what the call is', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [
    (listener, request) => {
      assert.equal(lab.intents.length, 1);
      answers(completion())(listener, request, lab);
    },
  ];
  await lab.call({ ...SMALL_CHAT, max_tokens: 5 });
  const [intent] = lab.intents;
  assert.deepEqual(
    [intent!.organizationId, intent!.keyId, intent!.model, intent!.requestedModel, intent!.provider],
    ['org_1', 'key_1', 'small', 'small', 'lab'],
  );
  assert.deepEqual([intent!.upstreamModel, intent!.streamed, intent!.createdAt], ['small-upstream', false, START]);
  assert.equal(intent!.price!.rates.input, picoPerToken(1));
});

test('a refused intent gives back what was reserved, and asks no vendor', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.onIntend = () => {
    throw FULL_DISK;
  };
  await assert.rejects(lab.call(SMALL_CHAT), FULL_DISK);
  const [held] = lab.held;
  assert.deepEqual([held!.cancelled, held!.settled], [1, []]);
  assert.deepEqual([lab.requests.length, lab.observed.opened, lab.settlements.length], [0, 0, 0]);
});

test('a refused reservation writes nothing and asks no vendor', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  const refusal = new GatewayError('rate_limit_exceeded', 'Too many requests.');
  lab.onReserve = () => {
    throw refusal;
  };
  await assert.rejects(lab.call(SMALL_CHAT), refusal);
  assert.deepEqual([lab.intents.length, lab.requests.length], [0, 0]);
});

test('a call settles its limits and its record once, by what the vendor says was used', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [answers(completion())];
  await lab.call(SMALL_CHAT);
  // 100 tokens at $1 and 10 at $2 per million, in nano-dollars.
  assert.deepEqual(lab.held[0]!.settled, [{ tokens: 110, cost: 120_000n }]);
  assert.equal(lab.settlements.length, 1);
  const [settlement] = lab.settlements;
  assert.deepEqual(
    [settlement!.status, settlement!.httpStatus, settlement!.errorKind, settlement!.usageSource, settlement!.cost],
    ['succeeded', 200, null, 'provider', 120_000n],
  );
  assert.deepEqual(
    settlement!.lineItems.map(({ component, quantity }) => [component, quantity]),
    [
      ['input', 100],
      ['output', 10],
    ],
  );
  assert.equal(settlement!.id, lab.intents[0]!.id);
  assert.equal(settlement!.timeToFirstTokenMs, null, 'a whole answer has no first token');
  assert.deepEqual([lab.observed.opened, lab.observed.closed], [1, 1]);
});

test('tokens that the vendor does not report are estimated', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [answers(completion('12345678', { usage: undefined }))];
  await lab.call(SMALL_CHAT);
  const [settlement] = lab.settlements;
  assert.equal(settlement!.usageSource, 'estimated');
  assert.deepEqual([settlement!.usage.inputTokens > 0, settlement!.usage.outputTokens], [true, 2]);
});

test('a refused call costs nothing, and its record says who refused it', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [refuses(400)];
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'upstream_rejected');
  assert.deepEqual(lab.held[0]!.settled, [{ tokens: 0, cost: 0n }]);
  const [settlement] = lab.settlements;
  assert.deepEqual(
    [settlement!.status, settlement!.httpStatus, settlement!.errorKind, settlement!.usageSource, settlement!.cost],
    ['failed', 400, 'upstream_rejected', 'none', 0n],
  );
  assert.deepEqual(
    settlement!.attempts.map(({ status, httpStatus, possiblyBilled }) => [status, httpStatus, possiblyBilled]),
    [['failed', 400, false]],
  );
});

test('a model without a price costs null, and none where nothing was used', async () => {
  const lab = new Lab({ served: [served('lab', [model('free', null)])] });
  lab.reactions = [answers(completion()), refuses(400)];
  await lab.call({ ...SMALL_CHAT, model: 'free' });
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'free' }));
  assert.deepEqual(
    lab.settlements.map(({ cost }) => cost),
    [null, 0n],
  );
});

test('an error in the middle of a connection is billed as an estimate of the prompt', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.'))];
  await assert.rejects(lab.call(SMALL_CHAT));
  const { usageSource, usage, attempts } = lab.settlements[0]!;
  assert.equal(usageSource, 'estimated');
  assert.ok(usage.inputTokens > 0);
  assert.equal(usage.outputTokens, 0);
  assert.equal(attempts.at(-1)!.possiblyBilled, true);
});

/** What is reserved for a prompt of some tokens and at most 1,000 of output. */
async function reservedFor(prices: Price | null, max = 1000): Promise<{ tokens: number; cost: bigint | null }> {
  const lab = new Lab({ served: [served('lab', [withPrice('small', prices)])], budgets: true });
  lab.reactions = [answers(completion())];
  await lab.call({ ...SMALL_CHAT, max_tokens: max });
  const { tokens, cost } = lab.held[0]!.request;
  return { tokens: tokens - max, cost };
}

for (const [component, where] of [
  ['input', 'prompt'],
  ['cache_write', 'prompt'],
  ['cache_write_1h', 'prompt'],
  ['audio_input', 'prompt'],
  ['output', 'answer'],
  ['reasoning', 'answer'],
  ['audio_output', 'answer'],
] as const) {
  test(`the highest cost that is reserved counts ${component} where it is the dearest of the ${where}`, async () => {
    const { tokens, cost } = await reservedFor(priced({ input: 1, output: 1, [component]: 9 }));
    const [prompt, answer] = where === 'prompt' ? [9, 1] : [1, 9];
    assert.equal(cost, BigInt(prompt * tokens * 1000 + answer * 1000 * 1000));
  });
}

/** What is asked of the limits of a call that may cost $1 a million tokens of output, in such tokens, where its prompt is free. */
async function askedOf(
  body: object,
  { hold = true, most = 50_000 as number | null, dialect = 'openai-chat' as DialectId } = {},
) {
  const price = priced({ input: 0, output: 1 });
  const large = model('large', null, { price, maxOutputTokens: most, dialects: [dialect] });
  const small = model('small', null, { price, maxOutputTokens: 200, dialects: [dialect] });
  const lab = new Lab({
    served: [{ provider: provider('lab', { speaks: [{ dialect, path: '/vendor' }] }), models: [small, large] }],
    routes: [route(['small', 'large'])],
    settings: (usual) => ({ ...usual, limits: { ...usual.limits, holdModelMaximum: hold } }),
    budgets: true,
  });
  lab.reactions = [refuses(400)];
  await assert.rejects(lab.call({ ...SMALL_CHAT, ...body }));
  const { cost, leastCost = null } = lab.held[0]!.request;
  assert.equal(lab.intents[0]!.held, leastCost ?? cost);
  return [Number(cost) / 1000, leastCost === null ? null : Number(leastCost) / 1000];
}

test('a call that names no maximum may cost what its model can put out, and needs the default at least', async () => {
  assert.deepEqual(await askedOf({ model: 'large' }), [50_000, 1000]);
  assert.deepEqual(await askedOf({ model: 'large', max_tokens: -1 }), [50_000, 1000]);
  assert.deepEqual(await askedOf({ model: 'large', n: 3 }), [150_000, 3000]);
  assert.deepEqual(await askedOf({ model: 'acme/auto' }), [50_000, 1000]);
  assert.deepEqual(await askedOf({ model: 'small' }), [200, 200], 'never more than the model can');
  assert.deepEqual(await askedOf({ model: 'large' }, { most: null }), [1000, 1000], 'what is not known');
  assert.deepEqual(await askedOf({ model: 'large' }, { dialect: 'anthropic-messages' }), [50_000, 1000]);
});

test('a call that names a maximum needs all that it may cost, and so does any where models’ maxima are not held', async () => {
  assert.deepEqual(await askedOf({ model: 'large', max_tokens: 7000 }), [7000, null]);
  assert.deepEqual(await askedOf({ model: 'large' }, { hold: false }), [1000, null]);
});

test('the highest cost is rounded up to a whole nano-dollar', async () => {
  const { tokens, cost } = await reservedFor(priced({ input: 0.0001, output: 0.0001 }), 1);
  assert.equal(cost, BigInt(Math.ceil(((tokens + 1) * 100) / 1000)));
});

test('nothing can be reserved for a model without a price', async () => {
  assert.equal((await reservedFor(null)).cost, null);
});

test('each choice may have the largest output', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [answers(completion())];
  await lab.call({ ...SMALL_CHAT, max_tokens: 7 });
  await lab.call({ ...SMALL_CHAT, max_tokens: 7, n: 3 });
  await lab.call(SMALL_CHAT);
  const [one, three, unnamed] = lab.held.map(({ request }) => request.tokens);
  assert.ok(three! - one! >= 14 && three! - one! < 17, `${three} - ${one}`);
  assert.ok(unnamed! >= 1000 && unnamed! < 1100, `${unnamed}`);
});

test('what is thought beside an answer is held too', async () => {
  const lab = new Lab({
    served: [served('lab', [withPrice('small', priced({ input: 0, output: 1 }))])],
    budgets: true,
  });
  lab.reactions = [answers(completion())];
  await lab.call({ ...SMALL_CHAT, max_tokens: 7, thinking_budget: 100 });
  assert.equal(lab.held[0]!.request.cost, 107_000n);
});

const BIG = [1, 2, 3].map((dollars, at) =>
  withPrice(['first', 'wide', 'lenient'][at]!, priced({ input: dollars, output: dollars })),
);

test('the highest cost of a route is that of its dearest target, the fallbacks of refused prompts among them', async () => {
  const costOf = async (more: Parameters<typeof route>[1]) => {
    const lab = new Lab({ served: [served('lab', BIG)], routes: [route(['first'], more)], budgets: true });
    lab.reactions = [answers(completion())];
    await lab.call({ ...SMALL_CHAT, model: 'acme/auto', max_tokens: 1000 });
    const { tokens, cost } = lab.held[0]!.request;
    return Number(cost) / tokens / 1000;
  };
  const wide = { model: 'wide', credential: null, weight: 1 };
  const lenient = { ...wide, model: 'lenient' };
  assert.equal(await costOf({}), 1);
  assert.equal(await costOf({ fallbacks: [wide] }), 2);
  assert.equal(await costOf({ contextFallbacks: [wide] }), 2);
  assert.equal(await costOf({ policyFallbacks: [lenient] }), 3);
  assert.equal(await costOf({ contextFallbacks: [lenient], policyFallbacks: [wide] }), 3);
  assert.equal(await costOf({ policyFallbacks: [lenient], price: priced({ input: 5, output: 5 }) }), 5);
});

test('a call is charged by who served it, and its record keeps that price', async () => {
  const cheap = withPrice('cheap', priced({ input: 1, output: 1 }));
  const dear = withPrice('dear', priced({ input: 10, output: 10 }));
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [cheap] },
      { provider: provider('two'), models: [dear] },
    ],
    routes: [route(['cheap', 'dear'])],
  });
  lab.reactions = [refuses(503), answers(completion())];
  await lab.call({ ...SMALL_CHAT, model: 'acme/auto' });
  const { cost, routed, attempts } = lab.settlements[0]!;
  assert.equal(cost, 1_100_000n);
  assert.deepEqual([routed!.provider, routed!.upstreamModel], ['two', 'dear-upstream']);
  assert.equal(routed!.price!.rates.input, picoPerToken(10));
  assert.equal(routed!.vendorCost, 1_100_000n);
  assert.deepEqual(
    attempts.map(({ provider, status }) => [provider, status]),
    [
      ['one', 'failed'],
      ['two', 'succeeded'],
    ],
  );
});

test('what a vendor refuses inside a 200 is charged to nobody', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [model('first')] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  const overloaded = { error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } };
  lab.reactions = [answers(overloaded), answers(completion())];
  await lab.call({ ...SMALL_CHAT, model: 'acme/auto' });
  const { cost, routed, attempts } = lab.settlements[0]!;
  assert.deepEqual([attempts.length, attempts[0]!.httpStatus, attempts[0]!.usageSource], [2, 200, 'none']);
  assert.equal(routed!.vendorCost, cost);
});

test('a product’s own price is charged, and what the vendor charges stands beside it', async () => {
  const lab = new Lab({
    served: [served('lab', [model('small')])],
    routes: [route(['small'], { price: priced({ input: 100, output: 100 }) })],
  });
  lab.reactions = [answers(completion())];
  await lab.call({ ...SMALL_CHAT, model: 'acme/auto' });
  const { cost, routed } = lab.settlements[0]!;
  assert.deepEqual([cost, routed!.vendorCost], [11_000_000n, 120_000n]);
});

test('what a vendor may have charged for a lost attempt is added to the vendors’ cost', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [withPrice('first', priced({ input: 4, output: 4 }))] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.')), answers(completion())];
  await lab.call({ ...SMALL_CHAT, model: 'acme/auto' });
  const { cost, routed } = lab.settlements[0]!;
  assert.equal(cost, 120_000n);
  const lost = routed!.vendorCost! - cost!;
  // The prompt alone, at the lost target's price: some tokens at $4 a million.
  assert.ok(lost > 0n && lost % 4000n === 0n, String(lost));
});

test('a caller who leaves before its answer is in the record, with the prompt that was sent', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  const seen = caller();
  lab.reactions = [() => seen.leave()];
  await lab.ended(lab.pipeline.handle(lab.request(SMALL_CHAT, seen)));
  const { status, errorKind, usageSource } = lab.settlements[0]!;
  assert.deepEqual([status, errorKind, usageSource], ['cancelled', 'client_closed_request', 'estimated']);
  assert.equal(lab.aborted.length, 1);
  assert.equal(lab.held[0]!.settled.length, 1);
});

test('a caller who had left before a vendor was asked is billed nothing', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  const seen = caller();
  seen.leave();
  await lab.ended(lab.pipeline.handle(lab.request(SMALL_CHAT, seen)));
  const { status, usageSource, cost, attempts } = lab.settlements[0]!;
  assert.deepEqual([status, usageSource, cost, attempts], ['cancelled', 'none', 0n, []]);
  assert.equal(lab.requests.length, 0);
});

test('a whole answer leaves only once its record is kept; one that cannot be kept is no answer', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [answers(completion())];
  lab.onSettle = () => Promise.reject(FULL_DISK);
  const seen = caller();
  const { kind, message } = FULL_DISK;
  await assert.rejects(lab.pipeline.handle(lab.request(SMALL_CHAT, seen)), { kind, message });
  assert.deepEqual([seen.ended, seen.body, lab.held[0]!.settled.length], [false, '', 1]);
});

test('usage is what the vendor says, also where it is more than was reserved', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  const usage = { ...CHAT_USAGE, completion_tokens: 5000, total_tokens: 5100 };
  lab.reactions = [answers(completion('long', { usage }))];
  await lab.call({ ...SMALL_CHAT, max_tokens: 1 });
  assert.equal(lab.held[0]!.settled[0]!.tokens, 5100);
});

test('a report of more tokens than can be is not believed: it is kept, told, and billed as estimated', async () => {
  const lab = new Lab({ served: [served('lab', [model('small', [1, 2], { contextWindow: 1000 })])] });
  const report = (completion_tokens: number) => ({ prompt_tokens: 100, completion_tokens, total_tokens: 0 });
  lab.reactions = [3900, 3901].map((tokens) => answers(completion('12345678', { usage: report(tokens) })));
  await lab.call(SMALL_CHAT);
  await lab.call(SMALL_CHAT);
  const [believed, not] = lab.settlements;
  assert.deepEqual([believed!.usageSource, believed!.usage.outputTokens, believed!.reported], ['provider', 3900, null]);
  assert.deepEqual([not!.usageSource, not!.usage.outputTokens, not!.reported?.outputTokens], ['estimated', 2, 3901]);
  assert.deepEqual(lab.disbelieved, [lab.intents[1]]);
});

test('where a token has no price, what was held for the call counts against its limits', async () => {
  const price = priced({ input: 1, output: 2 });
  const lab = new Lab({ served: [served('lab', [withPrice('small', price)])], budgets: true });
  const usage = { ...CHAT_USAGE, prompt_tokens_details: { cached_tokens: 50 } };
  lab.reactions = [answers(completion('Hi', { usage }))];
  await lab.call({ ...SMALL_CHAT, max_tokens: 1000 });
  const { request, settled } = lab.held[0]!;
  const { cost, counted } = lab.settlements[0]!;
  assert.deepEqual([cost, counted, settled[0]!.cost], [null, request.cost, request.cost]);
  assert.equal(lab.intents[0]!.held, request.cost);
});

test('where more than was held was used, it counts at the dearest rates', async () => {
  const price = priced({ input: 1, output: 2 });
  const lab = new Lab({ served: [served('lab', [withPrice('small', price)])], budgets: true });
  const usage = { prompt_tokens: 9000, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 50 } };
  lab.reactions = [answers(completion('Hi', { usage }))];
  await lab.call({ ...SMALL_CHAT, max_tokens: 1 });
  assert.equal(lab.settlements[0]!.counted, BigInt(9000 * 1000 + 2000));
});

test('a call that names no maximum counts the least that was left for it where its cost is unknown', async () => {
  const price = priced({ input: 1, output: 2 });
  const large = model('small', null, { price, maxOutputTokens: 100_000 });
  const settings = (usual: PipelineSettings) => ({ ...usual, limits: { ...usual.limits, holdModelMaximum: true } });
  const lab = new Lab({ served: [served('lab', [large])], budgets: true, settings });
  const usage = { ...CHAT_USAGE, prompt_tokens_details: { cached_tokens: 50 } };
  lab.reactions = [answers(completion('Hi', { usage }))];
  await lab.call(SMALL_CHAT);
  const { cost, leastCost, tokens } = lab.held[0]!.request;
  // 1,000 tokens of output are held for by default; the model can put out a hundred times as many.
  assert.deepEqual([cost! - leastCost!, tokens > 1000], [99_000n * 2000n, true]);
  assert.deepEqual([lab.intents[0]!.held, lab.settlements[0]!.counted], [leastCost, leastCost]);
});

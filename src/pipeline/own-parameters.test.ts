import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picoPerToken } from '../core/money.ts';
import type { OwnParameters } from '../core/parameters.ts';
import { field } from '../testing/json.ts';
import { model, provider, route } from '../testing/routes.ts';
import { answers, completion, Lab } from './fixtures.test.ts';

const PRIORITY = { rates: { input: picoPerToken(1), output: picoPerToken(20) }, tiers: [] };

/** What is reserved for a call of a model with these parameters. */
async function reserved(parameters: OwnParameters, said: object, isRoute = false) {
  const plain = model('small', [1, 2]);
  const price = { ...plain.price!, services: { priority: PRIORITY } };
  const own = { ...plain, price, ...(!isRoute && { parameters }) };
  const lab = new Lab({
    served: [{ provider: provider('lab'), models: [own] }],
    routes: isRoute ? [route(['small'], { id: 'way', parameters })] : [],
    budgets: true,
  });
  lab.reactions = [answers(completion())];
  const body = { model: isRoute ? 'way' : 'small', messages: [{ role: 'user', content: 'Hi' }], ...said };
  await lab.call(body);
  const { tokens, cost } = lab.held[0]!.request;
  const sent = JSON.parse(lab.requests[0]!.body!.toString()) as unknown;
  const input = lab.intents[0]!.estimatedInputTokens;
  return { output: tokens - input, cost: cost! - BigInt(input) * 1000n, sent: field(sent, 'max_tokens') };
}

for (const isRoute of [false, true]) {
  const of = isRoute ? 'a route' : 'a model';

  test(`the limit on output that ${of} sets is what is reserved`, async () => {
    const forced = { defaults: {}, force: { max_output_tokens: 500 } };
    assert.deepEqual(await reserved(forced, { max_tokens: 10 }, isRoute), { output: 500, cost: 1_000_000n, sent: 500 });
    const usual = { defaults: { max_output_tokens: 5000 }, force: {} };
    assert.deepEqual(await reserved(usual, {}, isRoute), { output: 5000, cost: 10_000_000n, sent: 5000 });
    assert.equal((await reserved(usual, { max_tokens: 10 }, isRoute)).output, 10);
    // A limit that says “none” is one.
    assert.equal((await reserved(usual, { max_tokens: -1 }, isRoute)).output, 1000);
  });

  test(`a tier of service that ${of} sets is held at the dearest price`, async () => {
    const own = { defaults: { service_tier: 'priority' }, force: {} };
    assert.equal((await reserved(own, { max_tokens: 10 }, isRoute)).cost, 200_000n);
    assert.equal((await reserved({ defaults: {}, force: {} }, { max_tokens: 10 }, isRoute)).cost, 20_000n);
  });

  test(`a budget of thinking that ${of} sets is reserved beside the answer`, async () => {
    const own = { defaults: { thinking_budget: 300 }, force: {} };
    assert.equal((await reserved(own, { max_tokens: 10 }, isRoute)).output, 310);
  });
}

test('of a route, the tokens of the target that may answer most are reserved', async () => {
  const large = { ...model('large'), parameters: { defaults: {}, force: { max_output_tokens: 5000 } } };
  const lab = new Lab({
    served: [{ provider: provider('lab'), models: [model('small'), large] }],
    routes: [route(['small', 'large'], { id: 'way' })],
  });
  lab.reactions = [answers(completion())];
  await lab.call({ model: 'way', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 });
  assert.equal(lab.held[0]!.request.tokens - lab.intents[0]!.estimatedInputTokens, 5000);
});

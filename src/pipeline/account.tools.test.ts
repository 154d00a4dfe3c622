import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { type Price, picoPerCall, picoPerToken } from '../core/money.ts';
import { model, provider } from '../testing/routes.ts';
import { answers, completion, fails, Lab, refuses, SMALL_CHAT } from './fixtures.test.ts';

test('the search of a model that always searches is held and billed, also where the vendor hung up', async () => {
  const price: Price = {
    ...{ rates: { input: 0n, output: picoPerToken(1) }, tiers: [], source: 'test', date: '2026-01-01' },
    tools: { web_search: picoPerCall(0.01) },
  };
  const found = (id: string, searches: RegExp) => ({
    provider: provider(id, { quirks: { searches } }),
    models: [model(id, null, { price })],
  });
  const lab = new Lab({ served: [found('always', /^always/), found('never', /^none/)], budgets: true });
  lab.reactions = [answers(completion()), answers(completion())];
  for (const model of ['always', 'never']) await lab.call({ ...SMALL_CHAT, model, max_tokens: 1000 });
  assert.deepEqual(
    lab.held.map(({ request }) => request.cost),
    [11_000_000n, 1_000_000n],
  );
  assert.deepEqual(
    lab.settlements.map(({ usage }) => usage.toolCalls),
    [{ web_search: 1 }, undefined],
  );
  for (const reaction of [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.')), refuses(400)]) {
    lab.reactions = [reaction];
    await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'always' }));
  }
  const [hungUp, refused] = lab.settlements.slice(2);
  assert.deepEqual(
    [hungUp!.usage.toolCalls, refused!.usage.toolCalls, refused!.cost],
    [{ web_search: 1 }, undefined, 0n],
  );
});

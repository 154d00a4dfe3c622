import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { model, provider, route } from '../testing/routes.ts';
import { answers, completion, fails, Lab, SMALL_CHAT, START } from './fixtures.test.ts';

test('what a call’s last attempt may have cost is in its record, and not lost beside it', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [model('first', [4, 4])] },
      { provider: provider('two'), models: [model('second', [1, 1])] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.'))];
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'acme/auto' }));
  const { usage, routed } = lab.settlements[0]!;
  // The same prompt twice, at each target's price.
  assert.equal(routed!.vendorCost, BigInt(usage.inputTokens) * 5000n);
});

test('a call that cannot be put in the words of one target goes to the next, and cost nothing there', async () => {
  const speaks = [{ dialect: 'anthropic-messages' as const, path: '/messages' }];
  const lab = new Lab({
    served: [
      { provider: provider('one', { speaks }), models: [model('first', [4, 4], { dialects: ['anthropic-messages'] })] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [answers(completion())];
  await lab.call({ model: 'acme/auto', messages: [{ role: 'user', content: 5 }] });
  const { attempts, cost, routed } = lab.settlements[0]!;
  assert.deepEqual(
    attempts.map(({ provider, errorKind, usageSource }) => [provider, errorKind, usageSource]),
    [
      ['one', 'invalid_request', 'none'],
      ['two', null, 'provider'],
    ],
  );
  assert.equal(routed!.vendorCost, cost);
  assert.deepEqual([lab.requests.length, attempts[0]!.startedAt], [1, START]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model, served } from '../testing/routes.ts';
import { answers, CHAT_USAGE, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

test('input from a cache counts for the tokens of a key, unless the operator says that it does not', async () => {
  for (const countCachedInput of [true, false]) {
    const lab = new Lab({
      served: [served('lab', [model('small')])],
      settings: (usual) => ({ ...usual, limits: { ...usual.limits, countCachedInput } }),
    });
    const usage = { ...CHAT_USAGE, prompt_tokens_details: { cached_tokens: 90 } };
    lab.reactions = [answers({ ...completion(), usage })];
    await lab.call(SMALL_CHAT);
    assert.equal(lab.held[0]!.settled[0]!.tokens, countCachedInput ? 110 : 20);
  }
});

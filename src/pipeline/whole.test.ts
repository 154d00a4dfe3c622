import assert from 'node:assert/strict';
import { test } from 'node:test';
import { model, served } from '../testing/routes.ts';
import { answers, CHAT_USAGE, caller, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';
import { LARGE } from './turns.ts';

test('a caller who leaves while its whole answer is read has used what the vendor reports, however long the answer', async () => {
  for (const length of [0, LARGE]) {
    const lab = new Lab({ served: [served('lab', [model('small')])] });
    const seen = caller();
    lab.reactions = [
      (listener, request) => {
        answers({ ...completion(), own: 'x'.repeat(length) })(listener, request, lab);
        seen.leave();
      },
    ];
    await lab.ended(lab.pipeline.handle(lab.request(SMALL_CHAT, seen)));
    const { usage, usageSource } = lab.settlements[0]!;
    assert.equal(usageSource, 'provider');
    assert.deepEqual([usage.inputTokens, usage.outputTokens], [CHAT_USAGE.prompt_tokens, CHAT_USAGE.completion_tokens]);
  }
});
